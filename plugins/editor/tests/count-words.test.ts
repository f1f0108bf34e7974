import { expect, it } from 'vitest'
import { countWords } from '../web/count-words.ts'

it('counts Chinese by characters and other scripts by words', () => {
  expect(countWords('我们坐 night train 去海边。')).toBe(8)
  expect(countWords("it's a well-kept list, 3 items")).toBe(6)
  expect(countWords('— … 。，')).toBe(0)
  expect(countWords('![海边](https://site.example/uploads/a-b.png) https://example.com/c')).toBe(2)
})
