let context: AudioContext | undefined;

/** Plays two soft tones of 0.3 s. A browser plays none before the first click on the page; the count in the tab's title works anyway. */
export function playNewOrderSound(): void {
  context ??= new AudioContext();
  void context.resume();
  const volume = new GainNode(context, { gain: 0.15 });
  volume.connect(context.destination);
  for (const [index, frequency] of [880, 1175].entries()) {
    const tone = new OscillatorNode(context, { frequency });
    tone.connect(volume);
    const start = context.currentTime + index * 0.15;
    tone.start(start);
    tone.stop(start + 0.14);
  }
}
