import { Avatar } from '@stoa/sdk/ui/avatar'
import { VisuallyHidden } from '@stoa/sdk/ui/visually-hidden'
import { useApi, useLogin, useText } from '@stoa/sdk/web'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { insertTextIntoField } from 'text-field-edit'
import caretOf from 'textarea-caret'
import { accountCalls } from '../shared/api.ts'
import styles from './mentions.module.css'

type Person = { username: string; display_name: string; avatar: string }

/** What has been typed of a name: from where in the text, and what. */
interface Begun {
  at: number
  name: string
}

const PAUSE_MS = 150
/** An at sign that begins a word, and what of a name stands between it and the caret. Chinese has no spaces before it. */
const BEGUN = /(?:^|[^\w.@/-])@([\p{L}\p{N}._-]{1,30})$/u

function begunIn({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Begun | undefined {
  if (selectionStart !== selectionEnd) return undefined
  const name = BEGUN.exec(value.slice(Math.max(0, selectionStart - 40), selectionStart))?.[1]
  return name === undefined ? undefined : { at: selectionStart - name.length, name }
}

/** People whose name begins with what follows an at sign; the one that is chosen is written out. The focus stays in the field. */
export default function Mentions({ field }: { field: HTMLTextAreaElement }) {
  const t = useText('accounts')
  const calls = useApi()
  const { isActivated } = useLogin()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [begun, setBegun] = useState<Begun>()
  const [people, setPeople] = useState<Person[]>([])
  const [active, setActive] = useState(0)
  const isOpen = begun !== undefined && people.length > 0

  useEffect(() => {
    if (!isActivated) return
    const look = (event: Event) => {
      if ((event as InputEvent).isComposing) return
      setBegun((before) => {
        const now = begunIn(field)
        return now && before?.at === now.at && before.name === now.name ? before : now
      })
    }
    const close = () => setBegun(undefined)
    const events = ['input', 'click', 'compositionend'] as const
    for (const event of events) field.addEventListener(event, look)
    field.addEventListener('blur', close)
    // Somebody may have begun before this was loaded.
    setBegun(begunIn(field))
    return () => {
      for (const event of events) field.removeEventListener(event, look)
      field.removeEventListener('blur', close)
    }
  }, [field, isActivated])

  useEffect(() => {
    if (!begun) return setPeople([])
    const stop = new AbortController()
    const timer = setTimeout(() => {
      const asked = { query: { username: begun.name }, signal: stop.signal, passingError: true, ignoreServerError: true }
      calls.send(accountCalls.searchPeople, asked).then(
        (found) => {
          setPeople(found)
          setActive(0)
        },
        () => undefined,
      )
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [begun, calls])

  useEffect(() => {
    if (!isOpen) return
    const choose = (person: Person | undefined) => person && begun && write(field, begun, person)
    const onKey = (event: KeyboardEvent) => {
      if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step) setActive((at) => (at + step + people.length) % people.length)
      else if (event.key === 'Enter' || event.key === 'Tab') choose(people[active])
      else if (event.key === 'Escape') setBegun(undefined)
      else if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return setBegun(undefined)
      else return
      // Neither the editor nor the form hears of a key that chose somebody.
      event.preventDefault()
      event.stopPropagation()
    }
    field.addEventListener('keydown', onKey)
    return () => field.removeEventListener('keydown', onKey)
  }, [isOpen, field, begun, people, active])

  useEffect(() => {
    if (!isOpen) return
    field.setAttribute('aria-autocomplete', 'list')
    field.setAttribute('aria-controls', id)
    field.setAttribute('aria-activedescendant', `${id}-${active}`)
    return () => {
      for (const name of ['aria-autocomplete', 'aria-controls', 'aria-activedescendant']) field.removeAttribute(name)
    }
  }, [isOpen, field, id, active])

  useLayoutEffect(() => {
    const box = list.current
    if (!isOpen || !box) return
    box.showPopover()
    const place = () => {
      const { left, top } = field.getBoundingClientRect()
      const caret = caretOf(field, begun.at)
      const below = top + caret.top - field.scrollTop + (caret.height || 20) + 4
      const height = box.offsetHeight
      box.style.left = `${Math.max(8, Math.min(left + caret.left - field.scrollLeft, innerWidth - box.offsetWidth - 8))}px`
      box.style.top = `${below + height > innerHeight ? Math.max(8, below - height - caret.height - 12) : below}px`
    }
    place()
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    return () => {
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  }, [isOpen, field, begun])

  return (
    <>
      <VisuallyHidden>
        <span role="status">{isOpen && t('mentions.found', { count: people.length })}</span>
      </VisuallyHidden>
      {isOpen && (
        <div ref={list} id={id} role="listbox" aria-label={t('mentions.label')} popover="manual" className={styles.list}>
          {people.map((person, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the field, which handles keys
            <div
              key={person.username}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={styles.person}
              onMouseDown={(event) => event.preventDefault()}
              // Not on entering: a list that opens below a pointer at rest would mark what lies there.
              onMouseMove={() => setActive(index)}
              onClick={() => begun && write(field, begun, person)}
            >
              <Avatar name={person.display_name} src={person.avatar} size={24} />
              <span className={styles.name}>{person.display_name}</span>
              <span className={styles.username}>@{person.username}</span>
            </div>
          ))}
        </div>
      )}
    </>
  )
}

/** As though it had been typed, so that it can be undone and whoever owns the field hears of it. */
function write(field: HTMLTextAreaElement, { at }: Begun, { username }: Person): void {
  field.focus()
  field.setSelectionRange(at, field.selectionStart)
  insertTextIntoField(field, `${username} `)
}
