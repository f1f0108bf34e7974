import { slot } from '@stoa/sdk'

/** What owners of things to bookmark hand to the button. */
export interface BookmarkPlace {
  /** Public id of what is bookmarked. */
  id: string
  /** People who bookmarked it. */
  count: number
  /** Whether the reader did. */
  bookmarked: boolean
}

/** Places that bookmarks fills and owners of things to bookmark draw. */
export const bookmarkSlots = {
  /** A button with the number of bookmarks, among the actions of a page. */
  button: slot<BookmarkPlace>('bookmarks.button'),
}
