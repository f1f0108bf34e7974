/**
 * Modules that core offers to plugins. A plugin's container names exactly these as shared with `import: false`;
 * everything else it imports is bundled into the plugin. Plain data: the build preset of the sdk reads it too.
 */

/** One key per kit component, so that a page downloads the components it uses. File names below `sdk/ui/`, without `.tsx`. */
export const uiComponents = [
  'avatar',
  'badge',
  'button',
  'call-form',
  'chip',
  'choice-rows',
  'chooser',
  'crop-dialog',
  'dialog',
  'draft-notice',
  'empty',
  'field',
  'form',
  'icon',
  'menu',
  'notice',
  'number',
  'page',
  'pagination',
  'progress',
  'prose',
  'rows',
  'save-bar',
  'settings-form',
  'settings-page',
  'skeleton',
  'spinner',
  'table',
  'tabs',
  'text-area',
  'time',
  'toast-region',
  'visually-hidden',
] as const

/** Parts of `@stoa/sdk/web` that few pages use, each with a key of its own. */
export const webParts = ['fields', 'live', 'optimistic'] as const

/** Kit components of sdk 1.0 that containers built with it still ask for; they stand in `sdk/legacy`. */
export const legacyComponents = ['tag'] as const

/** Share key → range a container asks for. All are singletons with `strictVersion`. */
export const shareKeys: Readonly<Record<string, string>> = {
  react: '^19.3.0',
  'react/jsx-runtime': '^19.3.0',
  'react/jsx-dev-runtime': '^19.3.0',
  'react-dom': '^19.3.0',
  '@stoa/sdk': '^1.1.0',
  '@stoa/sdk/web': '^1.1.0',
  ...Object.fromEntries(webParts.map((name) => [`@stoa/sdk/web/${name}`, '^1.1.0'])),
  ...Object.fromEntries(uiComponents.map((name) => [`@stoa/sdk/ui/${name}`, '^1.1.0'])),
}

/** Browsers that stylesheets are written for. Without them, the minimizer rewrites `light-dark()` for old ones and doubles the size. */
export const cssTargets = ['chrome >= 123', 'edge >= 123', 'firefox >= 128', 'safari >= 18']
