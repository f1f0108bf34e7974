import { defineConfig } from 'vitest/config'

/** `npm run looks`: every page in both widths, languages and schemes, with pictures in `build/looks`. CI sees a part of it in `tests/journeys`. */
export default defineConfig({
  test: {
    root: '.',
    include: ['tests/journeys/pages.test.ts'],
    globalSetup: ['tests/support/set-up.ts'],
    env: { STOA_TEST_DATABASE: 'sqlite', STOA_LOOKS: '1' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
