import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { PageTitle, Section } from '@stoa/sdk/ui/page'
import { Prose } from '@stoa/sdk/ui/prose'
import { Time } from '@stoa/sdk/ui/time'
import type { Head, PageProps, PageRequest, Translate } from '@stoa/sdk/web'
import { Slot, useApi, useConfirm, useText, useToast } from '@stoa/sdk/web'
import { followSlots } from '../../follows/shared/api.ts'
import { historySlots } from '../../history/shared/api.ts'
import { tagCalls } from '../shared/api.ts'
import { Synonyms } from './synonyms.tsx'
import styles from './tags.module.css'
import type { SynonymList, TagDetail } from './types.ts'
import { followPlace, tagPath } from './types.ts'

interface Shown {
  tag: TagDetail
  synonyms: SynonymList
}

export async function load(request: PageRequest): Promise<Shown> {
  const name = request.params.tagName ?? ''
  const tag = await request.get(tagCalls.info, { query: { name }, allow404: true })
  if (tag.slug_name !== name) request.redirect(`${tagPath(tag.slug_name)}/info`)
  return { tag, synonyms: await request.get(tagCalls.synonyms, { query: { tag_id: tag.tag_id } }) }
}

export function head({ tag }: Shown, { t }: { t: Translate }): Head {
  return { title: `${t('tag.about')} · ${tag.display_name}`, description: tag.description, canonical: `${tagPath(tag.slug_name)}/info` }
}

/** What a tag is for, its synonyms, and what staff may do with it. */
export default function InfoPage({ data, reload }: PageProps<Shown>) {
  const t = useText('tags')
  const { tag, synonyms } = data
  return (
    <>
      <PageTitle
        text={<Time at={tag.created_at} phrase={(time) => t('tag.created', { time })} />}
        actions={
          <>
            <Slot of={followSlots.button} props={followPlace(tag)} />
            <ButtonLink to={tagPath(tag.slug_name)}>{t('tag.back')}</ButtonLink>
          </>
        }
      >
        {tag.display_name}
      </PageTitle>
      <Section>
        {tag.parsed_text ? <Prose html={tag.parsed_text} /> : <p className={styles.muted}>{t('tag.no_text')}</p>}
        <Actions tag={tag} reload={reload} />
      </Section>
      <Synonyms tag={tag} data={synonyms} reload={reload} />
    </>
  )
}

function Actions({ tag, reload }: { tag: TagDetail; reload: () => Promise<void> }) {
  const t = useText('tags')
  const calls = useApi()
  const confirm = useConfirm()
  const toast = useToast()
  const offered = tag.member_actions.map((entry) => entry.action)
  const act = async (action: 'delete' | 'undelete') => {
    const isDanger = action === 'delete'
    if (
      !(await confirm({
        title: t(`tag.${action}_confirm`, { name: tag.display_name }),
        confirm: t(`tag.${action}`),
        tone: isDanger ? 'danger' : 'normal',
      }))
    )
      return
    const body = { tag_id: tag.tag_id }
    try {
      await (isDanger ? calls.send(tagCalls.remove, { body }) : calls.send(tagCalls.recover, { body }))
    } catch {
      return
    }
    toast({ text: t('tag.done'), tone: 'success' })
    await reload()
  }
  return (
    <div className={styles.buttons}>
      {offered.includes('edit') && (
        <ButtonLink to={`/tags/${tag.tag_id}/edit`} icon="pencil">
          {t('tag.edit')}
        </ButtonLink>
      )}
      {offered.includes('delete') && (
        <Button icon="trash" onClick={() => void act('delete')}>
          {t('tag.delete')}
        </Button>
      )}
      {offered.includes('undelete') && (
        <Button icon="undo" onClick={() => void act('undelete')}>
          {t('tag.undelete')}
        </Button>
      )}
      <Slot of={historySlots.entry} props={{ path: `/tags/${tag.tag_id}` }} />
    </div>
  )
}
