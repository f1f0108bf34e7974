/** Facts about a plugin that can be known without running it. `manifest.schema.json` is checked against this type by a test. */
export interface Manifest {
  slug: string
  version: string
  /** The specification's word (`route`, `search`, `theme`, …); opaque to the kernel. */
  type: string
  /** Range of @stoa/sdk it was written for. */
  sdk: string
  /** Contract → range, such as `"votes": "^1.0.0"`. Not started while something is missing that its code takes from one. A key with a dot means one token. */
  needs?: Record<string, string>
  /** Contract → range. Used when there. */
  wants?: Record<string, string>
  /** Contract → version: its own, and one of another plugin that it implements in that plugin's place. A key with a dot means one service. */
  provides?: Record<string, string>
  /** Points of its own that others contribute to in their `contributes`, by id. */
  points?: Record<string, PointDeclaration>
  /** What its code takes and gives, token by token; written by the build. */
  contracts?: Contracts
  /** May not be switched off by a click. */
  essential?: boolean
  /** Kinds of which one plugin may be active, e.g. `["theme"]`. */
  single?: string[]
  /** Off until the owner switches it on. Bundled plugins start on otherwise. */
  startsOff?: boolean
  /** Path of a `GET` call of its own that a new version has to answer below 500 before it takes over. Default: its first one without parameters. */
  probe?: string
  /** Names of public object kinds and their codes (1 to 999). */
  kinds?: Record<string, number>
  contributes?: Contributions
  /** Config form of the plugin, shown by the admin. */
  settings?: ConfigField[]
  /** Form that each member fills in for themselves, in their own settings. */
  memberSettings?: ConfigField[]
  /** Sources it needs in the content security policy, per directive (`img-src`, `frame-src`, `connect-src`, `media-src`). */
  csp?: Partial<Record<'img-src' | 'frame-src' | 'connect-src' | 'media-src' | 'font-src', string[]>>
  /** Rights it asks for; informational until the worker lane exists. */
  permissions?: string[]
  link?: string
  author?: string
}

/** What is known of the entries of a point. */
interface PointDeclaration {
  /**
   * Member that holds an entry's name. Such a name belongs to one plugin: it begins with the plugin's slug or one of its kinds, and a dot, and
   * nobody else has it. The point's owner may choose any that is free.
   */
  names?: string
}

/** Names of tokens without that of their contract, by the kind of the token. */
export type TokenNames = Record<string, string[]>

/** Derived from code by the build, so that a set of plugins can be judged before any of it starts. */
export interface Contracts {
  offers: Record<
    string,
    {
      /** Version of the contract. */
      version: string
      tokens: TokenNames
      /** Services with a version of their own. */
      versions?: Record<string, string>
      /** Former id of a slot → its name. */
      was?: Record<string, string>
    }
  >
  uses: Record<
    string,
    {
      range: string
      needs?: TokenNames
      wants?: TokenNames
      /** Tokens with a range of their own. */
      ranges?: Record<string, string>
    }
  >
}

/** A contract that a plugin goes without, because what is on is not what it was built for. */
export interface Without {
  contract: string
  range: string
  version: string
}

/** What the build preset adds to a `plugin.json`. A hand-made plugin may leave it out; then the default file names are looked for. */
export interface BuildFacts {
  /** File names relative to the plugin's folder; null when there is none. Defaults `server.cjs`, `reads.cjs`, `migrations.cjs`. */
  server: string | null
  reads: string | null
  migrations: string | null
  /** Seeder for test data, never loaded by a running site. */
  seed?: string | null
  /** What it adds to the command line, never loaded by a running site. */
  commands?: string | null
  web: {
    /** ESM federation container. */
    entry: string
    /**
     * Module path as written in `contributes` → what to load for it. `js` and `css` are file names, without the entry; `ui` names the
     * components of the kit, whose files a document loads ahead.
     */
    modules: Record<string, { expose: string; js: string[]; css: string[]; ui?: string[] }>
    /** File name → `sha384-…`. */
    integrity: Record<string, string>
  } | null
  /** Languages with a `locales/<code>.json`. */
  locales: string[]
}

export interface Contributions {
  routes?: RouteContribution[]
  slots?: SlotContribution[]
  /** Modules that join moments of the browser core. */
  taps?: TapContribution[]
  /** Modules that decide whether a page may be shown. */
  guards?: GuardContribution[]
  navigation?: NavigationContribution[]
  /** `<link>` elements of documents, such as of a feed. */
  links?: LinkContribution[]
  /** Named places of the kernel (`login`, `inactive`, `suspended`, `home`, …) → path. */
  places?: Record<string, string>
  /** Calls that fill the kernel's start-up state. */
  boot?: { site?: string; person?: string }
  language?: { code: string; label: string }
  /** Design tokens file(s), linked in every document while the plugin is on. */
  styles?: string[]
  /** Contributions to points that other plugins own, keyed by the point's id, e.g. `"site.permissions"`. */
  [point: string]: unknown
}

export interface RouteContribution {
  /** Pattern of react-router: `/tags/:tagName`. */
  path: string
  /** File of the page below the plugin's folder: `web/tag-page.tsx`. */
  module: string
  layout: 'main' | 'side' | 'plain' | 'admin'
  /** Names of guards, run in order: the kernel's ({@link KernelGuard}), the plugin's own, and `<slug>.<name>` of other plugins. One nobody has refuses. */
  guards?: string[]
  /** `server`: content is in the HTML. `client`: the document is the shell. */
  render?: 'server' | 'client'
  /** Text key (namespace of the plugin) of the document title until the page says better. */
  title?: string
  /** Of a page with `render: "client"`: ids of slots on it whose contributions arrive with its document. Name those that everybody sees at once. */
  brings?: string[]
}

interface SlotContribution {
  slot: string
  module: string
  /** Lower comes first; default 100. */
  order?: number
  /** `client`: not rendered on the server. `member`: nor for visitors, whose browsers do not load it either. */
  render?: 'server' | 'client' | 'member'
}

/** For programs that read documents; a navigation within the site changes nothing of it. */
export interface LinkContribution {
  /** Link type of HTML; those that the schema names, which load nothing by themselves. */
  rel: string
  /** Media type of what is there. */
  type?: string
  /** Path of this site. `:name` is what stands in that place of the page's address. */
  href: string
  /** Text key (namespace of the plugin). */
  title?: string
  /** Pages it stands in, by the `path` of their routes. In all without it. */
  path?: string | string[]
}

/** Guards of the kernel. Those of plugins have their slug and a dot in front. Where nobody is known yet, members' pages wait. */
export type KernelGuard =
  /** Who has a session; others go to the login and come back. */
  | 'loggedIn'
  /** Visitors; members go home, or to the page of those who are not activated. */
  | 'loggedOut'
  /** Members whose address is confirmed and who are not suspended. */
  | 'activated'
  /** Visitors, and members whose address is not confirmed yet. */
  | 'notActivated'
  /** Everybody who is not suspended. */
  | 'notForbidden'
  /** Only who is suspended. */
  | 'suspended'
  /** Administrators. */
  | 'admin'
  /** Administrators and moderators. */
  | 'staff'

/** Members are combined by "and", the values of a list by "or". `*` at the end of a text stands for any rest. */
export interface TapCondition {
  /** Path of the page (navigation) or of the call, without query. Case does not count. */
  path?: string | string[]
  /** `GET`, `POST`, `PUT`, `DELETE` */
  method?: string | string[]
  /** HTTP status; 0 is a call without a reply. */
  status?: number | number[]
  reason?: string | string[]
  /** Name of a field that the reply marks as wrong. */
  field?: string | string[]
}

interface TapContribution {
  /** Id of one of `webHooks`: `kernel.replied`. */
  hook: string
  /** File below the plugin's folder whose default export is made with `tap`. Loaded when the hook runs and `when` holds. */
  module: string
  /**
   * `path` for navigation, `path` and `method` for `kernel.beforeRequest`, all members for `kernel.replied`; the last two must have one, so
   * that no tap comes with every first view by accident.
   */
  when?: TapCondition
  /** Lower comes first; default 100. */
  order?: number
  /**
   * `server`: of `kernel.beforeNavigate`, also before a document is made; only a redirect counts there. Taps of `kernel.structuredData` need it.
   * Default `client`.
   */
  render?: 'server' | 'client'
}

interface GuardContribution {
  /** Without the slug, and none of the kernel's. Others write `<slug>.<name>`. */
  name: string
  /** File below the plugin's folder whose default export is made with `guard`. */
  module: string
}

export type NavigationPlace = 'side' | 'admin' | 'person' | 'footer' | `${string}.${string}`

export interface NavigationContribution {
  /** A menu of the frame, or one that a plugin declares among its `points` and draws: `accounts.settingsTabs`. */
  place: NavigationPlace
  path: string
  /** Text key in the plugin's namespace. */
  text: string
  /** Icon name of the kit. */
  icon?: string
  order?: number
  /** Group heading, a text key, for the admin. */
  group?: string
  /** Shown to: everybody (default), members, staff or admins. */
  for?: 'everybody' | 'member' | 'staff' | 'admin'
}

type ConfigFieldType =
  | 'input'
  | 'textarea'
  | 'checkbox'
  | 'radio'
  | 'select'
  | 'upload'
  | 'timezone'
  | 'switch'
  | 'button'
  | 'legend'
  | 'tag_selector'

/** One field of a config form, exactly as the protocol sends it; texts are keys until they are sent. */
export interface ConfigField {
  name: string
  type: ConfigFieldType
  title: string
  description?: string
  required?: boolean
  value?: unknown
  ui_options?: {
    placeholder?: string
    rows?: string
    input_type?: string
    label?: string
    text?: string
    variant?: string
    class_name?: string
    field_class_name?: string
    action?: {
      url: string
      method?: string
      loading?: { text: string; state: 'none' | 'pending' | 'completed' }
      on_complete?: { toast_return_message?: boolean; refresh_form_config?: boolean }
    }
  }
  options?: { label: string; value: string }[]
  /** Kept from readers: sent masked, and kept when the mask comes back. */
  secret?: boolean
  /**
   * Of a secret: names of the fields that say whose it is and where it is sent. When one of them changes, the stored one is neither sent nor kept: it
   * has to be typed again.
   */
  belongs_to?: string[]
}
