/** The few of jest's mocks that tests need before they draw. */
type Call = (...given: unknown[]) => unknown;

export interface Mock {
  (...given: unknown[]): unknown;
  mock: { calls: unknown[][] };
  mockImplementation(call: Call): Mock;
  mockImplementationOnce(call: Call): Mock;
  mockReturnValue(value: unknown): Mock;
  mockReturnValueOnce(value: unknown): Mock;
  mockResolvedValue(value: unknown): Mock;
  mockResolvedValueOnce(value: unknown): Mock;
  mockRejectedValue(reason: unknown): Mock;
  mockRejectedValueOnce(reason: unknown): Mock;
  mockClear(): Mock;
  mockReset(): Mock;
  mockRestore(): void;
}

export function mockOf(initial: Call = () => undefined): Mock {
  const calls: unknown[][] = [];
  const once: Call[] = [];
  let lasting = initial;
  const called: Call = (...given) => {
    calls.push(given);
    return (once.shift() ?? lasting)(...given);
  };
  const mock: Mock = Object.assign(called, {
    mock: { calls },
    mockImplementation(call: Call) {
      lasting = call;
      return mock;
    },
    mockImplementationOnce(call: Call) {
      once.push(call);
      return mock;
    },
    mockReturnValue: (value: unknown) => mock.mockImplementation(() => value),
    mockReturnValueOnce: (value: unknown) => mock.mockImplementationOnce(() => value),
    mockResolvedValue: (value: unknown) => mock.mockImplementation(async () => value),
    mockResolvedValueOnce: (value: unknown) => mock.mockImplementationOnce(async () => value),
    mockRejectedValue: (reason: unknown) => mock.mockImplementation(() => Promise.reject(reason)),
    mockRejectedValueOnce: (reason: unknown) => mock.mockImplementationOnce(() => Promise.reject(reason)),
    mockClear: () => mock,
    mockReset: () => mock,
    mockRestore() {},
  });
  return mock;
}

/** `access` is 'get' for a property that is read. */
export function spyOn(target: object, name: string, access?: 'get'): Mock {
  const original = Reflect.get(target, name) as Call;
  const mock = mockOf(access ? () => original : (...given) => original.apply(target, given));
  const replaced = access ? { get: mock } : { value: mock, writable: true };
  Object.defineProperty(target, name, { ...replaced, configurable: true });
  mock.mockRestore = () => {
    delete (target as Record<string, unknown>)[name];
    if (Reflect.get(target, name) !== original)
      Object.defineProperty(target, name, { value: original, writable: true, configurable: true });
  };
  return mock;
}
