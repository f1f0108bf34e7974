import { call } from '../shared/calls.ts'
import type * as schemas from './plugin-call-schemas.ts'

const admin = { admin: true } as const

/** The calls that the kernel answers itself, so that no switch can take them away. */
export const pluginCalls = {
  status: call.get<typeof schemas.status>('plugin/status'),
  list: call.get<typeof schemas.list>('plugins', admin),
  switch: call.put<typeof schemas.switched>('plugin/status', admin),
  /** Who switched what, newest first. */
  history: call.get<typeof schemas.history>('plugin/history', admin),
  /** Every plugin with its state, version and open settings, as a file. */
  exportSet: call.get<typeof schemas.exportSet>('plugin/set', admin),
  planSet: call.post<typeof schemas.planSet>('plugin/set/plan', admin),
  applySet: call.put<typeof schemas.applySet>('plugin/set', admin),
  config: call.get<typeof schemas.config>('plugin/config', admin),
  saveConfig: call.put<typeof schemas.saveConfig>('plugin/config', admin),
  testConfig: call.post<typeof schemas.testConfig>('plugin/config/test', admin),
  memberConfigs: call.get<typeof schemas.memberConfigs>('user/plugin/configs'),
  memberConfig: call.get<typeof schemas.memberConfig>('user/plugin/config'),
  saveMemberConfig: call.put<typeof schemas.testConfig>('user/plugin/config'),
  install: call.post<typeof schemas.install>('plugin/install', admin),
  rollback: call.post<typeof schemas.rollback>('plugin/rollback', admin),
  remove: call.del<typeof schemas.remove>('plugin', admin),
  eraseData: call.del<typeof schemas.eraseData>('plugin/data', admin),
  safeMode: call.put<typeof schemas.safeMode>('plugin/safe-mode', admin),
}
