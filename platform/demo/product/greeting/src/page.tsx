import { useState } from 'react';

export function Component() {
  const [count, setCount] = useState(0);
  return (
    <>
      <h1>Good morning</h1>
      <button type="button" onClick={() => setCount(count + 1)} style={{ minHeight: 44 }}>
        Greeted {count} times
      </button>
    </>
  );
}
