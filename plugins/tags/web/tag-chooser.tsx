import { Chooser } from '@stoa/sdk/ui/chooser'
import { Icon } from '@stoa/sdk/ui/icon'
import { useText } from '@stoa/sdk/web'
import { useState } from 'react'
import styles from './tag-chooser.module.css'
import type { Suggestion } from './use-suggestions.ts'
import { slugOf, useSuggestions } from './use-suggestions.ts'

export interface ChosenTag {
  slug_name: string
  display_name?: string
}

const mostOfPost = 5

/** What differs where tags are chosen for something else than a post. */
export interface ChooserWording {
  label: string
  help: string
  most: number
  /** Offers no new tags. */
  onlyKnown: boolean
}

/** Chooses tags for a post. */
export default function TagChooser({
  value,
  onChange,
  error,
  wording,
}: {
  value: ChosenTag[]
  onChange: (tags: ChosenTag[]) => void
  error?: string | undefined
  wording?: ChooserWording
}) {
  const t = useText('tags')
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const isFull = value.length >= (wording?.most ?? mostOfPost)
  const { options, note } = useSuggestions(text, value, isOpen && !isFull, wording?.onlyKnown)

  /** The name of a tag that was typed and not taken, by somebody who went on. */
  const takeTyped = () => {
    const typed = slugOf(text)
    const named = options.find(({ slug_name, display_name, isNew }) => !isNew && [slug_name, slugOf(display_name)].includes(typed))
    if (named) add(named.slug_name)
  }
  const add = (slug: string) => {
    const option = options.find(({ slug_name }) => slug_name === slug)
    if (!option) return
    onChange([...value, { slug_name: slug, display_name: option.display_name }])
    setText('')
  }

  return (
    <Chooser
      label={wording?.label ?? t('chooser.label')}
      help={wording?.help ?? (isFull ? t('chooser.full') : t('chooser.help'))}
      error={error}
      required={!wording}
      chosen={value.map(({ slug_name, display_name }) => ({ key: slug_name, name: display_name || slug_name }))}
      chosenLabel={t('chooser.chosen')}
      onRemove={(slug) => onChange(value.filter((tag) => tag.slug_name !== slug))}
      text={text}
      onText={setText}
      maxLength={35}
      placeholder={t('chooser.placeholder')}
      isFull={isFull}
      options={options.map((option) => ({ key: option.slug_name, content: <Offered option={option} /> }))}
      optionsLabel={t('chooser.suggestions')}
      onChoose={add}
      isOpen={isOpen}
      onOpen={setOpen}
      onLeave={takeTyped}
      keyFor={(typed) =>
        (options.find(({ slug_name }) => slug_name === slugOf(typed)) ?? (typed.trim() ? options[0] : undefined))?.slug_name
      }
      byComma
      note={isOpen && note && t(`chooser.${note}`, { name: text.trim() })}
    />
  )
}

function Offered({ option }: { option: Suggestion }) {
  const t = useText('tags')
  if (option.isNew)
    return (
      <>
        <Icon name="plus" size={16} />
        {t('chooser.create', { name: option.display_name })}
      </>
    )
  return (
    <>
      <span>{option.display_name}</span>
      {option.slug_name !== option.display_name.toLowerCase() && <span className={styles.slug}>{option.slug_name}</span>}
      {option.reserved && <span className={styles.slug}>{t('chooser.reserved')}</span>}
      {option.recommend && <span className={styles.slug}>{t('chooser.recommended')}</span>}
    </>
  )
}
