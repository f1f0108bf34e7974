import { Avatar } from '@stoa/sdk/ui/avatar'
import { Chooser } from '@stoa/sdk/ui/chooser'
import { useText } from '@stoa/sdk/web'
import { useState } from 'react'
import type { PersonCard } from '../../accounts/shared/api.ts'
import styles from './people-picker.module.css'
import { usePeopleSearch } from './use-people-search.ts'

/** As many as the server takes. */
const MOST = 20

interface PeoplePickerProps {
  value: PersonCard[]
  onChange(people: PersonCard[]): void
  /** Public id of somebody who is not offered. */
  hiddenId: string
  error: string | undefined
}

/** Chooses people by their names. */
export function PeoplePicker({ value, onChange, hiddenId, error }: PeoplePickerProps) {
  const t = useText('invitations')
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const isFull = value.length >= MOST
  const { people, isKnown } = usePeopleSearch(isFull ? '' : text)
  const offered = people.filter(({ id }) => id !== hiddenId && !value.some((chosen) => chosen.id === id))

  function add(id: string): void {
    onChange([...value, ...offered.filter((person) => person.id === id)])
    setText('')
  }

  return (
    <Chooser
      label={t('picker.label')}
      help={t(isFull ? 'picker.full' : 'picker.help', { count: MOST })}
      error={error}
      chosen={value.map(({ id, display_name }) => ({ key: id, name: display_name }))}
      chosenLabel={t('picker.chosen')}
      onRemove={(id) => onChange(value.filter((person) => person.id !== id))}
      text={text}
      onText={setText}
      maxLength={30}
      placeholder={t('picker.placeholder')}
      isFull={isFull}
      options={offered.map((person) => ({ key: person.id, content: <Offered person={person} /> }))}
      optionsLabel={t('picker.suggestions')}
      onChoose={add}
      isOpen={isOpen}
      onOpen={setOpen}
      inFlow
      note={isKnown && offered.length === 0 && t('picker.none')}
    />
  )
}

function Offered({ person }: { person: PersonCard }) {
  return (
    <>
      <Avatar name={person.display_name} src={person.avatar} size={24} />
      <span>{person.display_name}</span>
      <span className={styles.username}>@{person.username}</span>
    </>
  )
}
