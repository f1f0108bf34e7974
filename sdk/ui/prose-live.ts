import { localStore } from '@stoa/sdk/web'

/** What posts gain once the page lives; loaded after the text stands. */
export interface ProseTexts {
  copy: string
  copied: string
  /** Of a heading's link. */
  section: string
  close: string
  zoom: string
  /** The two ways to see pictures of other sites. */
  once: string
  always: string
}

interface ProseClasses {
  frame: string
  copy: string
  anchor: string
  zoom: string
  held: string
}

const COPIED_MS = 2000

/** Copy buttons, links of headings, pictures that open. @returns how to take it all back */
export function enliven(box: HTMLElement, texts: ProseTexts, classes: ProseClasses): () => void {
  const undo = [
    ...[...box.querySelectorAll('pre')].map((block) => addCopyButton(block, texts, classes)),
    ...[...box.querySelectorAll<HTMLElement>(':is(h2, h3, h4, h5, h6)[id]')].map((heading) => addAnchor(heading, texts, classes)),
    ...[...box.querySelectorAll<HTMLImageElement>('img:not([data-src])')].map((image) => addZoom(image, texts, classes)),
    holdPictures(box, texts, classes),
  ]
  return () => {
    for (const one of undo) one()
  }
}

/** Puts the block into a box with a button. */
function addCopyButton(block: HTMLPreElement, { copy, copied }: ProseTexts, classes: ProseClasses): () => void {
  const code = block.textContent ?? ''
  const frame = document.createElement('div')
  frame.className = classes.frame
  const button = document.createElement('button')
  button.type = 'button'
  button.className = classes.copy
  button.replaceChildren(copy)
  let timer: ReturnType<typeof setTimeout> | undefined
  button.addEventListener('click', async () => {
    await navigator.clipboard?.writeText(code)
    button.replaceChildren(copied)
    clearTimeout(timer)
    timer = setTimeout(() => button.replaceChildren(copy), COPIED_MS)
  })
  block.replaceWith(frame)
  frame.append(block, button)
  return () => {
    clearTimeout(timer)
    frame.replaceWith(block)
  }
}

function addAnchor(heading: HTMLElement, { section }: ProseTexts, classes: ProseClasses): () => void {
  const link = document.createElement('a')
  link.href = `#${heading.id}`
  link.className = classes.anchor
  link.ariaLabel = `${section} ${heading.textContent}`
  link.append('#')
  heading.append(link)
  return () => link.remove()
}

/** Icons and dots, in pixels: they would open no larger than they stand there. */
const SMALL = 48
/** What is left of a picture in the window, of its shorter side, when nothing can be made out any more. */
const STRIP = 1 / 4

/** The way in which a picture is so long that it would be a strip if the window had to hold all of it. */
function lengthOf({ naturalWidth, naturalHeight }: HTMLImageElement): 'tall' | 'wide' | '' {
  if (naturalWidth === 0) return ''
  const fit = Math.min(1, innerWidth / naturalWidth, innerHeight / naturalHeight)
  if (naturalHeight > naturalWidth) return naturalWidth * fit < innerWidth * STRIP ? 'tall' : ''
  return naturalHeight * fit < innerHeight * STRIP ? 'wide' : ''
}

/** A picture opens over the page, as large as it is or as the window allows; a very long one is pushed along. */
function addZoom(image: HTMLImageElement, { close, zoom }: ProseTexts, classes: ProseClasses): () => void {
  const side = (name: string) => Number(image.getAttribute(name) ?? SMALL)
  if (image.closest('a') || Math.max(side('width'), side('height')) < SMALL) return () => {}
  const open = () => {
    const dialog = document.createElement('dialog')
    dialog.className = classes.zoom
    dialog.ariaLabel = image.alt || zoom
    const button = document.createElement('button')
    button.type = 'button'
    button.ariaLabel = close
    const large = document.createElement('img')
    large.src = image.src
    large.alt = image.alt
    const measure = () => {
      dialog.dataset.long = lengthOf(large)
    }
    measure()
    large.addEventListener('load', measure)
    button.append(large)
    dialog.append(button)
    dialog.addEventListener('click', () => dialog.close())
    dialog.addEventListener('close', () => {
      dialog.remove()
      image.focus({ preventScroll: true })
    })
    document.body.append(dialog)
    dialog.showModal()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    open()
  }
  image.tabIndex = 0
  image.role = 'button'
  image.ariaLabel = [zoom, image.alt].filter(Boolean).join(' ')
  image.addEventListener('click', open)
  image.addEventListener('keydown', press)
  return () => {
    image.removeEventListener('click', open)
    image.removeEventListener('keydown', press)
  }
}

/** The choice of the person, in this browser. Source: specification, section 9. */
const CHOICE = 'external-content'
const ALWAYS = 'always'
/** Told within the page when pictures of other sites are to be shown everywhere. */
const SHOW_ALL = 'stoa:show-pictures'

/** Pictures of other sites wait until they are wanted, those of this text or all from now on: who has them sees who looks. */
function holdPictures(box: HTMLElement, texts: ProseTexts, classes: ProseClasses): () => void {
  const images = [...box.querySelectorAll<HTMLImageElement>('img[data-src]')]
  if (images.length === 0) return () => {}
  const undo: (() => void)[] = []
  const asks: HTMLElement[] = []
  const show = () => {
    for (const ask of asks.splice(0)) ask.remove()
    for (const image of images.splice(0)) {
      image.hidden = false
      image.src = image.dataset.src ?? ''
      delete image.dataset.src
      undo.push(addZoom(image, texts, classes))
    }
  }
  if (localStore.get(CHOICE) === ALWAYS) show()
  const button = (text: string, press: () => void) => {
    const made = document.createElement('button')
    made.type = 'button'
    made.append(text)
    made.addEventListener('click', press)
    return made
  }
  for (const image of images) {
    const ask = document.createElement('span')
    ask.className = classes.held
    const about = document.createElement('span')
    about.append([image.alt, new URL(image.dataset.src ?? '', location.href).host].filter(Boolean).join(' · '))
    // Browsers draw one without an address as if it were broken.
    image.hidden = true
    ask.append(
      about,
      button(texts.once, show),
      button(texts.always, () => {
        localStore.set(CHOICE, ALWAYS, null)
        dispatchEvent(new Event(SHOW_ALL))
      }),
    )
    ;(image.closest('a') ?? image).after(ask)
    asks.push(ask)
  }
  addEventListener(SHOW_ALL, show)
  return () => {
    removeEventListener(SHOW_ALL, show)
    for (const image of images) image.hidden = false
    for (const one of [...undo, ...asks.map((ask) => () => ask.remove())]) one()
  }
}
