import { chineseWords, englishWords, markerWords } from './seed-words.ts'

/** Writes titles and texts in Chinese and English whose words are distributed as in real ones: few are everywhere, most are rare. */
export interface SeedText {
  /** Chinese twice as often as English. */
  language(): 'zh' | 'en'
  /** 8 to 60 characters. */
  title(language?: 'zh' | 'en'): string
  sentence(language?: 'zh' | 'en'): string
  /** Markdown of some paragraphs; now and then a list, code or emphasis. */
  body(language?: 'zh' | 'en'): string
  /** Name of a person, not unique. */
  name(): string
  /** A word; `rank` 0 is the most frequent. */
  word(language: 'zh' | 'en', rank?: number): string
  /** Share of posts → the word that stands in about that share of them. */
  readonly markers: typeof markerWords
  /** Adds marker words to the text of one post, each with the probability of its share. Call it once for every post, for nothing else. */
  withMarkers(body: string): string
}

/** Harmonic weights: the word of rank r comes up with a probability proportional to 1 / (r + 3). */
function zipf(words: readonly string[], random: () => number): () => string {
  const sums: number[] = []
  let total = 0
  for (let rank = 0; rank < words.length; rank++) {
    total += 1 / (rank + 3)
    sums.push(total)
  }
  return () => {
    const at = random() * total
    let low = 0
    for (let high = sums.length - 1; low < high; ) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) < at) low = middle + 1
      else high = middle
    }
    return words[low] as string
  }
}

const PARTICLES = ['的', '了', '和', '在', '把', '也', '就', '还', '与', '让']
const JOINTS = ['and', 'with', 'for', 'the', 'a', 'of', 'to', 'in', 'from', 'without']
const FAMILY = ['王', '李', '张', '刘', '陈', '杨', '赵', '黄', '周', '吴', '徐', '孙', '胡', '朱', '高', '林', '何', '郭', '马', '谢']
const GIVEN = ['明', '静', '磊', '婷', '浩', '雪', '晨', '悦', '杰', '琳', '涛', '薇', '宇', '欣', '峰', '洁', '凯', '倩', '博', '颖']
const FIRST = [
  'Anna',
  'Ben',
  'Clara',
  'David',
  'Elena',
  'Finn',
  'Grace',
  'Henry',
  'Ida',
  'Jonas',
  'Kira',
  'Leo',
  'Mona',
  'Nils',
  'Olga',
  'Paul',
]

/** @param random numbers from 0 to below 1; the same numbers give the same texts */
export function createSeedText(random: () => number): SeedText {
  const nextWord = { zh: zipf(chineseWords, random), en: zipf(englishWords, random) }
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const language = () => (random() < 2 / 3 ? 'zh' : 'en')

  const phrase = (of: 'zh' | 'en', words: number): string => {
    const parts: string[] = []
    for (let i = 0; i < words; i++) {
      if (i > 0 && random() < 0.4) parts.push(pick(of === 'zh' ? PARTICLES : JOINTS))
      parts.push(nextWord[of]())
    }
    return parts.join(of === 'zh' ? '' : ' ')
  }
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

  const title = (of: 'zh' | 'en' = language()) => (of === 'zh' ? phrase('zh', 4 + below(5)) : capital(phrase('en', 4 + below(5))))
  const sentence = (of: 'zh' | 'en' = language()) =>
    of === 'zh' ? `${phrase('zh', 4 + below(6))}，${phrase('zh', 3 + below(5))}。` : `${capital(phrase('en', 7 + below(9)))}.`
  const paragraph = (of: 'zh' | 'en') => Array.from({ length: 2 + below(3) }, () => sentence(of)).join(of === 'zh' ? '' : ' ')
  const block = (of: 'zh' | 'en'): string => {
    const kind = random()
    if (kind < 0.08) return Array.from({ length: 3 }, () => `- ${phrase(of, 3)}`).join('\n')
    if (kind < 0.14) return `\`\`\`js\nconst ${nextWord.en()} = ${below(1000)}\n\`\`\``
    return kind < 0.2 ? `**${phrase(of, 2)}** ${paragraph(of)}` : paragraph(of)
  }

  return {
    language,
    title,
    sentence,
    body: (of = language()) => Array.from({ length: 1 + below(4) }, () => block(of)).join('\n\n'),
    name: () =>
      language() === 'zh'
        ? `${pick(FAMILY)}${pick(GIVEN)}${random() < 0.5 ? pick(GIVEN) : ''}`
        : `${pick(FIRST)} ${capital(nextWord.en())}`,
    word: (of, rank) => (rank === undefined ? nextWord[of]() : ((of === 'zh' ? chineseWords : englishWords)[rank] ?? nextWord[of]())),
    markers: markerWords,
    withMarkers: (body) => {
      const words = Object.entries(markerWords).filter(([share]) => random() < Number(share))
      return words.length === 0 ? body : `${body}\n\n${words.map(([, word]) => word).join('，')}。`
    },
  }
}
