import type { Extensions } from '@stoa/sdk'
import { slot } from '@stoa/sdk'

/** Places that history fills and owners of texts draw. */
export const historySlots = {
  /** Two texts and what differs, by words, or by lines in code. */
  difference: slot<{ before: string; after: string }>('history.difference'),
  /** In a form that edits a text: chooses an older version of it. */
  versions: slot<{
    /** Public id of what is edited. */
    id: string
    /** The text as it stands in the form. */
    content: string
    /** `extensions`: values of other plugins; absent where none were kept with the version. */
    onChoose(text: {
      title: string
      content: string
      tags: { slug_name: string; display_name: string }[]
      extensions?: Extensions | undefined
    }): void
  }>('history.versions'),
  /** An entry of a menu that leads to a timeline: `/posts/<id>`, `/posts/<id>/<answer>` or `/tags/<id>`. */
  entry: slot<{ path: string }>('history.entry'),
}
