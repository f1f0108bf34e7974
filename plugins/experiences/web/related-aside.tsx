import type { PropsOf } from '@stoa/sdk'
import type { kernelSlots } from '@stoa/sdk/web'
import { Link, useData, useSite, useText } from '@stoa/sdk/web'
import { alike } from '../shared/light.ts'
import { pathOf } from './addresses.ts'
import styles from './related-aside.module.css'

const detail = /^\/experiences\/(?!ask$|linked\/)([^/]+)/

/** Beside a post: others like it. */
export default function RelatedAside({ path }: PropsOf<typeof kernelSlots.aside>) {
  const id = detail.exec(path)?.[1]
  return id ? <Related id={id} /> : null
}

function Related({ id }: { id: string }) {
  const t = useText('experiences')
  const site = useSite()
  const { list } = useData(alike, { experience_id: id })
  if (list.length === 0) return null
  return (
    <section className={styles.box} aria-labelledby="related-title">
      <h2 id="related-title" className={styles.title}>
        {t('related.title')}
      </h2>
      <ul className={styles.list}>
        {list.map((item) => (
          <li key={item.id}>
            <Link to={pathOf(site, item)}>{item.title}</Link>
            {item.answer_count > 0 && <span className={styles.count}>{t('related.answers', { count: item.answer_count })}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
