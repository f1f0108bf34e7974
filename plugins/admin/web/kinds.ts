import { useText } from '@stoa/sdk/web'

const named = new Set([
  'route',
  'connector',
  'search',
  'captcha',
  'editor',
  'render',
  'embed',
  'notification',
  'reviewer',
  'storage',
  'cache',
  'cdn',
  'importer',
  'user-center',
  'theme',
  'locale',
  'upload',
])

/** What a plugin is for, in a word that owners understand; what has no such word calls itself what it likes. */
export function useKindName(): (type: string) => string {
  const t = useText('admin')
  return (type) => (named.has(type) ? t(`plugins.kinds.${type}`) : type)
}
