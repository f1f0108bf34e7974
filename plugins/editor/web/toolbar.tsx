import type { EditorTool } from '@stoa/sdk/ui/editor-props'
import type { IconName } from '@stoa/sdk/ui/icon'
import { Icon } from '@stoa/sdk/ui/icon'
import { Menu } from '@stoa/sdk/ui/menu'
import { kernelSlots, Slot, useText } from '@stoa/sdk/web'
import type { FocusEvent, KeyboardEvent } from 'react'
import { Fragment, useRef } from 'react'
import styles from './editor.module.css'
import type { Action } from './edits.ts'

export type Press = Action | 'picture'

/** What the site colours, by the names that people know; the value is what stands behind the fence. */
const LANGUAGES: [name: string, value: string][] = [
  ['Bash', 'bash'],
  ['C', 'c'],
  ['C#', 'csharp'],
  ['C++', 'cpp'],
  ['CSS', 'css'],
  ['Diff', 'diff'],
  ['Dockerfile', 'dockerfile'],
  ['Go', 'go'],
  ['HTML', 'html'],
  ['INI', 'ini'],
  ['Java', 'java'],
  ['JavaScript', 'js'],
  ['JSON', 'json'],
  ['Kotlin', 'kotlin'],
  ['Markdown', 'markdown'],
  ['PHP', 'php'],
  ['Python', 'python'],
  ['Ruby', 'ruby'],
  ['Rust', 'rust'],
  ['SQL', 'sql'],
  ['Swift', 'swift'],
  ['TypeScript', 'ts'],
  ['XML', 'xml'],
  ['YAML', 'yaml'],
]

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
  ],
]

/** Wanted now and then: behind a menu, so that the rest is found at a glance. */
const MORE: Action[] = ['table', 'tasks', 'footnote', 'spoiler']

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
  /** A block of code was wished for. Empty: in no language. */
  onCodeBlock(language: string): void
  replace: EditorTool['replace']
}

/** One stop for the Tab key; arrows, Home and End move within. */
export function Toolbar({ controls, hasPictures, onPress, onCodeBlock, replace }: ToolbarProps) {
  const t = useText('editor')
  const bar = useRef<HTMLDivElement>(null)
  const shown = groups.map((group) => group.filter((tool) => hasPictures || tool.press !== 'picture'))
  const tools = shown.flat()
  // Those of other plugins are known by what stands in the page.
  const buttons = () => [...(bar.current?.querySelectorAll<HTMLButtonElement>('button:not([popover] *)') ?? [])]
  const onFocus = ({ target }: FocusEvent) => {
    const all = buttons()
    if (all.includes(target as HTMLButtonElement)) for (const button of all) button.tabIndex = button === target ? 0 : -1
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // A menu that is open has keys of its own.
    if ((event.target as Element).closest('[popover]')) return
    const all = buttons()
    const now = Math.max(0, all.indexOf(event.target as HTMLButtonElement))
    const next = { ArrowRight: now + 1, ArrowLeft: now - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    all[next % all.length]?.focus()
  }
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t('toolbar.label')}
      aria-controls={controls}
      className={styles.toolbar}
      data-sideways=""
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {shown.map((group, groupIndex) => (
        <Fragment key={group[0]?.press}>
          {groupIndex > 0 && <span className={styles.divider} />}
          {group.map((tool) => {
            return (
              <button
                key={tool.press}
                type="button"
                className={styles.tool}
                tabIndex={tool === tools[0] ? 0 : -1}
                aria-label={t(`toolbar.${tool.press}`)}
                title={titleOf(t(`toolbar.${tool.press}`), tool.key)}
                aria-keyshortcuts={tool.key && ariaKeys(tool.key)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onPress(tool.press)}
              >
                <Icon name={tool.icon} size={18} />
              </button>
            )
          })}
        </Fragment>
      ))}
      <Menu
        label={t('toolbar.block')}
        icon="code-block"
        align="start"
        className={styles.menu}
        items={[
          { label: t('toolbar.plain'), onSelect: () => onCodeBlock('') },
          'separator',
          ...LANGUAGES.map(([label, value]) => ({ label, onSelect: () => onCodeBlock(value) })),
        ]}
      />
      <Menu
        label={t('toolbar.more')}
        icon="plus"
        align="start"
        className={styles.menu}
        items={MORE.map((press) => ({ label: t(`toolbar.${press}`), onSelect: () => onPress(press) }))}
      />
      <Slot of={kernelSlots.editorTools} props={{ className: styles.tool as string, replace }} />
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
