import { slot } from '@stoa/sdk'

export const captchaSlots = {
  /** Draws the puzzle, or solves it; filled by the plugin that makes puzzles. Empty: there is a picture, and a field below it. */
  widget: slot<{
    puzzle: unknown
    /** With the code; the call is sent again. */
    solve(code: string): void
    /** It cannot be solved here; shown with a way to try again. */
    fail(text: string): void
  }>('captcha.widget'),
}
