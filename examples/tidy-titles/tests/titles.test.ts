import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shouts, tidy } from '../server/titles.ts'

test('marks and spaces that repeat become one', () => {
  assert.equal(tidy('Is  this right???  Yes!!'), 'Is this right? Yes!')
  assert.equal(tidy('真的吗？？？'), '真的吗？')
})

test('capitals alone shout, an abbreviation does not', () => {
  assert.equal(shouts('READ THIS RIGHT NOW'), true)
  assert.equal(shouts('HTTP and TCP explained'), false)
  assert.equal(shouts('NASA'), false)
  assert.equal(shouts('怎样学习编程'), false)
})
