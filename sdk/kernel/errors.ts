import { defineErrors } from '../shared/index.ts'

export const pluginErrors = defineErrors('error.plugin', {
  not_found: { status: 404, message: 'No plugin {slug} is known' },
  switches_others: { status: 400, message: 'Switching {slug} would also switch {others}', display: 'alert' },
  /** Data names the fields. The admin may insist. */
  does_not_work: { status: 400, message: 'The settings of {slug} do not work' },
  /** Nothing else goes along, and plugins have something to say about it. */
  warned: { status: 400, message: 'Switching {slug} needs somebody to agree', display: 'alert' },
  refused: { status: 400, message: '{slug} cannot be switched now: {reason}', display: 'alert' },
  essential: { status: 400, message: '{slug} is essential; it goes off only through /rescue or the command line', display: 'alert' },
  last_of_kind: { status: 400, message: '{slug} is the last provider of {contract}', display: 'alert' },
  start_failed: { status: 400, message: '{slug} did not start: {reason}', display: 'alert' },
  busy: { status: 409, message: 'Another switch is under way; epoch is {epoch}' },
  nothing_before: { status: 400, message: 'There is no version of {slug} to go back to', display: 'alert' },
  quarantined_before: {
    status: 400,
    message: 'Version {version} of {slug} is in quarantine: {reason}',
    display: 'alert',
  },
  contracted: {
    status: 400,
    message: 'Version {version} of {slug} cannot run any more: {step} has removed what it needs',
    display: 'alert',
  },
  not_installed: { status: 400, message: '{slug} comes with the site and cannot be removed', display: 'alert' },
  not_removed: { status: 400, message: 'The files of {slug} could not be removed: {reason}', display: 'alert' },
  still_on: { status: 400, message: '{slug} is on; its data can be deleted when it is off', display: 'alert' },
  no_settings: { status: 404, message: '{slug} has no settings' },
})

/** Why a package is not taken, or a folder is no plugin. */
export const packageErrors = defineErrors('error.package', {
  broken: { status: 400, message: 'The archive is broken: {reason}', display: 'alert' },
  empty: { status: 400, message: 'The archive is empty', display: 'alert' },
  link: { status: 400, message: '{name} is a link; a plugin holds files only', display: 'alert' },
  special_file: { status: 400, message: '{name} is a {type}; a plugin holds files only', display: 'alert' },
  unsafe_path: { status: 400, message: '"{name}" is a path that leaves its folder or that not every system can keep', display: 'alert' },
  repeated: { status: 400, message: '{name} is there twice', display: 'alert' },
  file_too_large: { status: 400, message: '{name} has {size} MB; a file may have {most} MB', display: 'alert' },
  too_large: { status: 400, message: 'The archive has more than {most} MB', display: 'alert' },
  unpacks_too_large: { status: 400, message: 'More than {most} MB when unpacked', display: 'alert' },
  too_many_files: { status: 400, message: 'More than {most} files or entries', display: 'alert' },
  no_manifest: { status: 400, message: 'plugin.json is missing', display: 'alert' },
  bad_manifest: { status: 400, message: 'plugin.json is wrong: {reason}', display: 'alert' },
  wrong_sdk: { status: 400, message: '"sdk" asks for {asked}; this site has {here}', display: 'alert' },
  unreadable: { status: 400, message: 'The files cannot be read: {reason}', display: 'alert' },
  being_written: { status: 400, message: 'The folder is still being written', display: 'alert' },
  changed: { status: 400, message: 'Its files are not those that were installed; install it again', display: 'alert' },
  file_changed: { status: 400, message: '{name} is not the file that was built', display: 'alert' },
  built_anew: { status: 400, message: 'It was built anew while the site was starting it; try again', display: 'alert' },
  absent: { status: 400, message: 'Version {version} is chosen and is not on this node', display: 'alert' },
  stood_in: { status: 400, message: 'Version {version} is chosen and is not on this node; {instead} stands in for it', display: 'alert' },
  slug_taken: { status: 400, message: 'The slug "{slug}" is taken by {folder}', display: 'alert' },
  reserved: { status: 400, message: 'The slug "{slug}" is kept for a plugin of the project itself', display: 'alert' },
  name_taken: {
    status: 400,
    message: 'A plugin that comes with the site, {slug} {version}, is not used: an installed one has its name',
    display: 'alert',
  },
  not_newer: {
    status: 400,
    message: 'Version {bundled} of {slug} comes with the site; {version} is not newer and has to be installed by name',
    display: 'alert',
  },
})

/** Why a file of a set of plugins is not taken. */
export const pluginSetErrors = defineErrors('error.plugin_set', {
  not_a_set: { status: 400, message: 'The file is no set of plugins', display: 'alert' },
  other_format: { status: 400, message: 'The file has format {found}, which this site cannot read', display: 'alert' },
  too_many: { status: 400, message: 'The file names more than {most} plugins', display: 'alert' },
  repeated: { status: 400, message: 'The file names {slug} twice', display: 'alert' },
  wrong_entry: { status: 400, message: 'In entry {place} of the file, "{member}" is missing or wrong', display: 'alert' },
  safe_mode: { status: 400, message: 'The site is in safe mode; leave it first', display: 'alert' },
  missing: { status: 400, message: 'Not on this site: {names}', display: 'alert' },
  contradicts: { status: 400, message: 'The plan has {count} problems; nothing was changed', display: 'alert' },
})

/** Why the kernel keeps a plugin off that is switched on; the list of plugins says it in the reader's language. */
export const pluginProblems = defineErrors('error.plugin_problem', {
  activation: { status: 503, message: 'It failed while it was started: {message}' },
  needs: { status: 503, message: 'It needs {slug} ({range}), which is not on. {message}' },
  circle: { status: 503, message: 'It needs what needs it, a circle: {path}' },
  newer_refused: { status: 503, message: 'A new version was not taken over: {message}' },
  ended: { status: 503, message: 'The whole process of the site ended while it was started' },
  detached: { status: 503, message: 'It failed {times} times in a row in {where}: {message}' },
  failing: { status: 503, message: 'It is on, and failed {times} times in a row in {where}: {message}' },
  loop: { status: 503, message: 'It blocked the whole site for {seconds} s without finishing, in “{where}”' },
  loop_in_worker: { status: 503, message: 'It blocked a worker for {seconds} s without finishing, in “{where}”' },
  memory: { status: 503, message: 'It took all the memory of a worker, in “{where}”' },
  memory_of_site: { status: 503, message: 'It blocked the whole site and filled its memory, in “{where}”' },
  needs_quarantined: { status: 503, message: 'It needs {slug}, which is in quarantine' },
})

export const installErrors = {
  ...defineErrors('error.install', { already_installed: { status: 400, message: 'The site is already set up', display: 'alert' } }),
  ...defineErrors('error.config', { read_config_failed: { status: 400, message: 'No database is chosen yet' } }),
}

export const databaseErrors = defineErrors('error.database', {
  connection_failed: { status: 400, message: 'The database did not answer: {reason}', display: 'alert' },
})
