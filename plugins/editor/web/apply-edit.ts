import { insertTextIntoField } from 'text-field-edit'
import type { Edit } from './edits.ts'

/** Does an edit as if it were typed, so that the field's own undo takes it back. The field keeps, or gets, the focus. */
export function applyEdit(field: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  field.focus({ preventScroll: true })
  field.setSelectionRange(from, to)
  insertTextIntoField(field, insert)
  field.setSelectionRange(start, end)
}

/** Puts text in place of a marker that stands somewhere in the field; the writer's selection stays where it is. */
export function replaceMarker(field: HTMLTextAreaElement, marker: string, insert: string): boolean {
  const from = field.value.indexOf(marker)
  if (from < 0) return false
  const shift = insert.length - marker.length
  const keep = (at: number) => (at <= from ? at : Math.max(from + insert.length, at + shift))
  const [start, end] = [keep(field.selectionStart), keep(field.selectionEnd)]
  const before = document.activeElement
  applyEdit(field, { from, to: from + marker.length, insert, start, end })
  if (before instanceof HTMLElement && before !== field && before !== document.body) before.focus({ preventScroll: true })
  return true
}
