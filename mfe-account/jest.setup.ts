import { configure } from '@testing-library/react';

// A machine that also builds is slow to draw a first page; a second is not a bound of this product.
configure({ asyncUtilTimeout: 5_000 });
