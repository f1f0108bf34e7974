import type { IconName } from '@stoa/sdk/ui/icon'
import { Icon } from '@stoa/sdk/ui/icon'
import { useText } from '@stoa/sdk/web'
import type { KeyboardEvent } from 'react'
import { Fragment, useRef, useState } from 'react'
import styles from './editor.module.css'
import type { Action } from './edits.ts'

export type Press = Action | 'picture'

interface Tool {
  press: Press
  icon: IconName
  /** Pressed together with Ctrl or Command; `shift+` in front of it. */
  key?: string
}

const groups: Tool[][] = [
  [
    { press: 'bold', icon: 'bold', key: 'b' },
    { press: 'italic', icon: 'italic', key: 'i' },
    { press: 'heading', icon: 'heading', key: 'shift+h' },
  ],
  [
    { press: 'quote', icon: 'quote', key: 'shift+.' },
    { press: 'code', icon: 'code', key: 'e' },
    { press: 'link', icon: 'link', key: 'k' },
    { press: 'picture', icon: 'image' },
  ],
  [
    { press: 'bullets', icon: 'list', key: 'shift+8' },
    { press: 'numbers', icon: 'list-ordered', key: 'shift+7' },
    { press: 'table', icon: 'table' },
  ],
]

/** Keys by their place on the keyboard where the character depends on the layout. */
const codes: Record<string, string> = { Digit7: '7', Digit8: '8', Period: '.' }

/** The tool whose shortcut was pressed. */
export function toolOf(event: KeyboardEvent): Press | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.nativeEvent.isComposing) return undefined
  const key = `${event.shiftKey ? 'shift+' : ''}${(event.shiftKey && codes[event.code]) || event.key.toLowerCase()}`
  return groups.flat().find((tool) => tool.key === key)?.press
}

interface ToolbarProps {
  /** Id of the text field. */
  controls: string
  hasPictures: boolean
  onPress(press: Press): void
}

/** One stop for the Tab key; arrows, Home and End move within. */
export function Toolbar({ controls, hasPictures, onPress }: ToolbarProps) {
  const t = useText('editor')
  const bar = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const shown = groups.map((group) => group.filter((tool) => hasPictures || tool.press !== 'picture'))
  const tools = shown.flat()
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowRight: current + 1, ArrowLeft: current - 1 + tools.length, Home: 0, End: tools.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const index = next % tools.length
    setCurrent(index)
    bar.current?.querySelectorAll('button')[index]?.focus()
  }
  return (
    <div ref={bar} role="toolbar" aria-label={t('toolbar.label')} aria-controls={controls} className={styles.toolbar} onKeyDown={onKeyDown}>
      {shown.map((group, groupIndex) => (
        <Fragment key={group[0]?.press}>
          {groupIndex > 0 && <span className={styles.divider} />}
          {group.map((tool) => {
            const index = tools.indexOf(tool)
            return (
              <button
                key={tool.press}
                type="button"
                className={styles.tool}
                tabIndex={index === Math.min(current, tools.length - 1) ? 0 : -1}
                aria-label={t(`toolbar.${tool.press}`)}
                title={titleOf(t(`toolbar.${tool.press}`), tool.key)}
                aria-keyshortcuts={tool.key && ariaKeys(tool.key)}
                onMouseDown={(event) => event.preventDefault()}
                onFocus={() => setCurrent(index)}
                onClick={() => onPress(tool.press)}
              >
                <Icon name={tool.icon} size={18} />
              </button>
            )
          })}
        </Fragment>
      ))}
    </div>
  )
}

const isApple = () => typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform)
const upper = (key: string) =>
  key
    .split('+')
    .map((part) => (part.length === 1 ? part.toUpperCase() : 'Shift'))
    .join('+')
const titleOf = (name: string, key?: string) => (key ? `${name} (${isApple() ? '⌘' : 'Ctrl+'}${upper(key)})` : name)
const ariaKeys = (key: string) => `Control+${upper(key)} Meta+${upper(key)}`
