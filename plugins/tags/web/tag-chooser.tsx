import { Chip } from '@stoa/sdk/ui/chip'
import { FieldFrame } from '@stoa/sdk/ui/field'
import { Icon } from '@stoa/sdk/ui/icon'
import { useText } from '@stoa/sdk/web'
import type { KeyboardEvent } from 'react'
import { useId, useState } from 'react'
import styles from './tag-chooser.module.css'
import type { Suggestion } from './use-suggestions.ts'
import { slugOf, useSuggestions } from './use-suggestions.ts'

export interface ChosenTag {
  slug_name: string
  display_name?: string
}

const most = 5

/** Chooses tags for a post: a combobox after the ARIA pattern with the chosen ones as chips before it. */
export default function TagChooser({
  value,
  onChange,
  error,
}: {
  value: ChosenTag[]
  onChange: (tags: ChosenTag[]) => void
  error?: string
}) {
  const t = useText('tags')
  const listId = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const isFull = value.length >= most
  const { options, note } = useSuggestions(text, value, isOpen && !isFull)

  const add = ({ slug_name, display_name }: Suggestion) => {
    onChange([...value, { slug_name, display_name }])
    setText('')
    setActive(-1)
  }
  const remove = (slug: string) => onChange(value.filter((tag) => tag.slug_name !== slug))
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Backspace' && text === '') return onChange(value.slice(0, -1))
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation()
      return setOpen(false)
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setOpen(true)
      const step = event.key === 'ArrowDown' ? 1 : -1
      return setActive((at) => (options.length === 0 ? -1 : (at + step + options.length) % options.length))
    }
    if (event.key !== 'Enter' && event.key !== ',' && event.key !== '，') return
    // Enter must not send the form from here.
    event.preventDefault()
    const chosen = options[active] ?? options.find((option) => option.slug_name === slugOf(text)) ?? (text.trim() ? options[0] : undefined)
    if (chosen) add(chosen)
  }

  return (
    <FieldFrame label={t('chooser.label')} help={isFull ? t('chooser.full') : t('chooser.help')} error={error} required>
      {(wiring) => (
        <div className={styles.box}>
          {value.length > 0 && (
            <ul className={styles.chosen} aria-label={t('chooser.chosen')}>
              {value.map((tag) => (
                <li key={tag.slug_name}>
                  <Chip name={tag.display_name || tag.slug_name} onRemove={() => remove(tag.slug_name)} />
                </li>
              ))}
            </ul>
          )}
          <input
            {...wiring}
            className={styles.input}
            type="text"
            role="combobox"
            aria-expanded={isOpen && options.length > 0}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && options[active] ? `${listId}-${active}` : undefined}
            autoComplete="off"
            maxLength={35}
            placeholder={isFull ? '' : t('chooser.placeholder')}
            disabled={isFull}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setActive(-1)
              setOpen(true)
            }}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
          />
          <div
            id={listId}
            role="listbox"
            aria-label={t('chooser.suggestions')}
            className={styles.options}
            hidden={!isOpen || options.length === 0}
          >
            {options.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the focus stays in the input, which handles keys
              <div
                key={option.slug_name}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                className={styles.option}
                onMouseDown={(event) => event.preventDefault()}
                onMouseEnter={() => setActive(index)}
                onClick={() => add(option)}
              >
                {option.isNew ? (
                  <>
                    <Icon name="plus" size={16} />
                    {t('chooser.create', { name: option.display_name })}
                  </>
                ) : (
                  <Name option={option} />
                )}
              </div>
            ))}
          </div>
          <p role="status" className={styles.note}>
            {isOpen && note && t(`chooser.${note}`, { name: text.trim() })}
          </p>
        </div>
      )}
    </FieldFrame>
  )
}

function Name({ option }: { option: Suggestion }) {
  const t = useText('tags')
  return (
    <>
      <span>{option.display_name}</span>
      {option.slug_name !== option.display_name.toLowerCase() && <span className={styles.slug}>{option.slug_name}</span>}
      {option.reserved && <span className={styles.slug}>{t('chooser.reserved')}</span>}
      {option.recommend && <span className={styles.slug}>{t('chooser.recommended')}</span>}
    </>
  )
}
