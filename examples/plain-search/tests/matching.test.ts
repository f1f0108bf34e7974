import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchQuery } from '@stoa/plugin-search/api'
import { anywhere, inOrder, meets } from '../server/matching.ts'

const post = (n: number, change: object = {}) => ({
  kind: 'experience',
  n,
  experience: n,
  authorId: 1,
  tags: ['travel'],
  votes: 0,
  answers: 0,
  views: 0,
  accepted: false,
  createdAt: n,
  activeAt: -n,
  ...change,
})
const query = (change: Partial<SearchQuery> = {}): SearchQuery => ({
  words: [],
  phrases: [],
  tags: [],
  order: 'relevance',
  page: 1,
  size: 10,
  ...change,
})

test('every condition has to be met', () => {
  assert.equal(meets(post(1), query()), true)
  assert.equal(meets(post(1), query({ tags: ['travel', 'train'] })), false)
  assert.equal(meets(post(1, { votes: 3 }), query({ minVotes: 3, authorId: 1 })), true)
  assert.equal(meets(post(1, { votes: 3 }), query({ noVotes: true })), false)
  assert.equal(meets(post(1), query({ kind: 'answer' })), false)
})

test('the order is the one that was asked for', () => {
  const ns = (order: SearchQuery['order']) => inOrder([post(1, { votes: 9 }), post(3), post(2)], order).map(({ n }) => n)
  assert.deepEqual(ns('newest'), [3, 2, 1])
  assert.deepEqual(ns('active'), [1, 2, 3])
  assert.deepEqual(ns('score'), [1, 3, 2])
})

test('signs that mean something to the database mean themselves', () => assert.equal(anywhere('50%_A'), '%50\\%\\_a%'))
