/** Entry of `migrations.cjs`: every file of the plugin's `migrations/` in the order of their names. */
const files = import.meta.webpackContext('@plugin/migrations', { recursive: false, regExp: /\.ts$/ })

export default files
  .keys()
  .sort()
  .map((key) => ({ name: key.slice('./'.length, -'.ts'.length), ...files(key).default }))
