/**
 * TypeScript without types; JSX by React's automatic runtime.
 * @param refresh marks components, so that a new version of one can keep the state of the old
 */
export function swcOptions(web: boolean, development = false, refresh = development): object {
  return {
    jsc: {
      parser: { syntax: 'typescript', tsx: web },
      target: web ? 'es2022' : 'es2024',
      ...(web ? { transform: { react: { runtime: 'automatic', development, refresh } } } : {}),
    },
  }
}
