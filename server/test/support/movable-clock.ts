/** Moves on the clock by which a program measures how much time has passed, until the mock is restored. */
export function movableClock(): (milliseconds: number) => void {
  const now = performance.now.bind(performance);
  let passed = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  return (milliseconds) => {
    passed += milliseconds;
  };
}
