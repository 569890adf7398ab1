import { configure } from '@testing-library/react';

// A machine that also builds renders a first page slowly, so queries wait longer than a second.
configure({ asyncUtilTimeout: 5_000 });
