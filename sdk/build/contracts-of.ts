import type { Compiled } from './compile.ts'
import type { ModuleTokens } from './contract-tokens.ts'
import { tokensOfModules } from './contract-tokens.ts'
import { usedModules } from './declared-contracts.ts'
import type { PluginSource } from './plugin-source.ts'

export { declaredContracts } from './declared-contracts.ts'

/** Tokens of all contracts that these plugins use anything of; each contract is run once. */
export function tokensUsedBy(
  plugins: { source: PluginSource; halves: readonly (Compiled | undefined)[] }[],
): Promise<Map<string, ModuleTokens>> {
  return tokensOfModules([...new Set(plugins.flatMap(({ source, halves }) => usedModules(source, halves)).map(({ file }) => file))])
}
