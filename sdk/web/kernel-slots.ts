import { slot, slots } from '@stoa/sdk'
import { wasSlot } from '../legacy/slot-names.ts'
import type { EditorProps, EditorTool } from '../ui/editor-props.ts'

/** Places that the frame of every page has, and the one for writing text that any page may show. */
export const kernelSlots = {
  /** In the middle of the header. */
  headerCenter: slots('kernel.headerCenter', { was: wasSlot.headerCenter }),
  /** At the end of the header, before the person. */
  headerActions: slots('kernel.headerActions', { was: wasSlot.headerActions }),
  /** In the header, before the picture and menu of whoever is logged in; visitors have none. */
  headerPerson: slots('kernel.headerPerson', { was: wasSlot.headerPerson }),
  /** Beside pages of the layout `side`; `path` is the address of the page. */
  aside: slots<{ path: string }>('kernel.aside', { was: wasSlot.aside }),
  /** At the end of the buttons of an editor; whoever fills {@link kernelSlots}`.editor` draws it. */
  editorTools: slots<EditorTool>('kernel.editorTools'),
  /** Where Markdown is written, once somebody is in the field: completes what is typed there, such as names. Fillers draw what they offer themselves. */
  completion: slots<{ field: HTMLTextAreaElement }>('kernel.completion'),
  /** Under the title of a page of settings; `page` is its address, `saves` grows whenever it was saved. */
  settingsPage: slots<{ page: string; saves: number }>('kernel.settingsPage'),
  /** Where Markdown is written. Show a plain field while it is empty. */
  editor: slot<EditorProps>('kernel.editor', { was: wasSlot.editor }),
}
