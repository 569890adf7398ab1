export function movableClock(): (milliseconds: number) => void {
  const now = performance.now.bind(performance);
  let passed = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  return (milliseconds) => {
    passed += milliseconds;
  };
}
