import { slot } from '@stoa/sdk'

/** What owners of things to follow hand to the button. */
export interface FollowPlace {
  /** Public id of what is followed. */
  id: string
  /** Its name, for screen readers. */
  name: string
  /** People who follow it. */
  count: number
  /** Whether the reader does. */
  followed: boolean
}

/** Places that follows fills and owners of things to follow draw. */
export const followSlots = {
  /** A button with the number of followers, among the actions of a page. */
  button: slot<FollowPlace>('follows.button'),
}
