type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** React notes in it which value its component knows of; a field has one as soon as it is hydrated. */
type Hydrated = Field & { _valueTracker?: { setValue(known: string): void } }

const isToggle = (field: Field): field is HTMLInputElement => field.type === 'checkbox' || field.type === 'radio'

/** Whether it says something else than the server's HTML does. Nobody types into a disabled field; browsers put old values back even there. */
function isTouched(field: Field): boolean {
  if (field.disabled || field.type === 'hidden') return false
  if (field instanceof HTMLSelectElement) {
    const given = [...field.options].findIndex((option) => option.defaultSelected)
    return field.selectedIndex !== Math.max(0, given)
  }
  if (isToggle(field)) return field.checked !== field.defaultChecked
  return field.value !== field.defaultValue
}

/** Tells the components of a field that was changed before there were any, as if it were changed now. */
function retell(field: Hydrated, typed: string): void {
  const event = isToggle(field) ? 'click' : field instanceof HTMLSelectElement ? 'change' : 'input'
  const tell = () => field.dispatchEvent(new Event(event, { bubbles: true }))
  // React hydrates at once what an event is for, and takes what it finds for what its component knows.
  tell()
  if (isToggle(field)) field._valueTracker?.setValue(String(!field.checked))
  else {
    if (field.value !== typed) field.value = typed
    field._valueTracker?.setValue(`${typed} `)
  }
  tell()
}

/**
 * What was typed, chosen or filled in by the browser before the page reacts reaches the state of its components: React keeps it in the field,
 * tells nobody, and overwrites it at the next render.
 * @returns to be called when hydration has begun
 */
export function keepTypedEarly(root: HTMLElement): () => void {
  const fields = new Set<EventTarget | null>(root.querySelectorAll<Field>('input,textarea,select'))
  const touched = ([...fields] as Field[]).filter(isTouched).map((field) => [field, field.value] as const)
  return () => {
    for (const [field, typed] of touched) retell(field, typed)
    // Into what is hydrated later than the rest.
    addEventListener(
      'input',
      ({ target, isTrusted }) => {
        if (isTrusted && fields.delete(target) && !('_valueTracker' in (target as Field))) retell(target as Field, (target as Field).value)
      },
      true,
    )
  }
}
