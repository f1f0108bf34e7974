import { Button } from '@stoa/sdk/ui/button'
import { Dialog } from '@stoa/sdk/ui/dialog'
import { Prose } from '@stoa/sdk/ui/prose'
import { useText } from '@stoa/sdk/web'
import styles from './format-help.module.css'

type Say = (key: string) => string

/** What is typed, and the HTML that a reader is shown for it. */
const rows: ((say: Say) => [source: string, html: string])[] = [
  (say) => [`**${say('sample.bold')}**`, `<p><strong>${say('sample.bold')}</strong></p>`],
  (say) => [`_${say('sample.italic')}_`, `<p><em>${say('sample.italic')}</em></p>`],
  (say) => [`~~${say('help.struck')}~~`, `<p><s>${say('help.struck')}</s></p>`],
  (say) => [`\`${say('sample.code')}\``, `<p><code>${say('sample.code')}</code></p>`],
  (say) => [`## ${say('sample.heading')}`, `<h3>${say('sample.heading')}</h3>`],
  (say) => [`[${say('sample.link')}](https://…)`, `<p><a href="#" tabindex="-1">${say('sample.link')}</a></p>`],
  (say) => [`![${say('help.alt')}](https://…)`, `<p>${say('help.picture')}</p>`],
  () => ['- A\n- B', '<ul><li>A</li><li>B</li></ul>'],
  () => ['1. A\n2. B', '<ol><li>A</li><li>B</li></ol>'],
  () => ['- [x] A\n- [ ] B', `<ul><li>${box('A', ' checked')}</li><li>${box('B')}</li></ul>`],
  (say) => [`> ${say('help.quote')}`, `<blockquote><p>${say('help.quote')}</p></blockquote>`],
  (say) => [`>! ${say('help.hidden')}`, `<details class="spoiler"><p>${say('help.hidden')}</p></details>`],
  (say) => ['```js\nlet a = 1\n```', `<p>${say('help.block')}</p>`],
  () => [
    '| A | B |\n| - | -: |\n| a | 1 |',
    '<table><thead><tr><th>A</th><th class="align-right">B</th></tr></thead><tbody><tr><td>a</td><td class="align-right">1</td></tr></tbody></table>',
  ],
  (say) => [`A[^1]\n\n[^1]: ${say('sample.note')}`, `<p>A<sup>[1]</sup></p><p>${say('help.footnote')}</p>`],
  (say) => ['@name', `<p>${say('help.mention')}</p>`],
]
const box = (label: string, checked = '') => `<input type="checkbox" disabled${checked} aria-label="${label}"> ${label}`

export default function FormatHelpDialog({ onClose }: { onClose(): void }) {
  const t = useText('editor')
  return (
    <Dialog open onClose={onClose} title={t('help.title')} actions={<Button onClick={onClose}>{t('help.close')}</Button>}>
      <p className={styles.about}>{t('help.about')}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('help.write')}</th>
            <th scope="col">{t('help.result')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const [source, html] = row(t)
            return (
              <tr key={source}>
                <td>
                  <code className={styles.source}>{source}</code>
                </td>
                <td>
                  <Prose html={html} size="small" />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Dialog>
  )
}
