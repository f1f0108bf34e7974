/** What was clicked last. */
let pressed: Element | null = null

export function press(link: Element | null): void {
  pressed = link
}

/** Marks the link that leads to the page that is on its way. @returns takes the mark back */
export function markPressed(): () => void {
  const link = pressed
  pressed = null
  link?.setAttribute('data-going', '')
  return () => link?.removeAttribute('data-going')
}
