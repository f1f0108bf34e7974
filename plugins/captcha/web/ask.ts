import { tap, webHooks } from '@stoa/sdk/web'

/** A call was refused for want of a proof: somebody gives it, and the call is sent again. Nothing is said of it the first time. */
export default tap(webHooks.replied, async ({ call, fields }, { ask }) => {
  const problem = call.fields.captcha_id === undefined ? '' : (fields.captcha_code ?? '')
  const solved = await ask(() => import('./dialog.tsx'), { method: call.method, path: call.path, problem })
  return solved && { fields: { ...solved } }
})
