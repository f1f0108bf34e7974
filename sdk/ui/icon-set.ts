/// <reference path="./lucide.d.ts" />
import { __iconData as Archive } from 'lucide-react/icons/archive'
import { __iconData as ArrowDown } from 'lucide-react/icons/arrow-down'
import { __iconData as ArrowLeft } from 'lucide-react/icons/arrow-left'
import { __iconData as ArrowRight } from 'lucide-react/icons/arrow-right'
import { __iconData as ArrowUp } from 'lucide-react/icons/arrow-up'
import { __iconData as ArrowUpDown } from 'lucide-react/icons/arrow-up-down'
import { __iconData as Award } from 'lucide-react/icons/award'
import { __iconData as Bell } from 'lucide-react/icons/bell'
import { __iconData as BookOpen } from 'lucide-react/icons/book-open'
import { __iconData as Bookmark } from 'lucide-react/icons/bookmark'
import { __iconData as Calendar } from 'lucide-react/icons/calendar'
import { __iconData as ChartNoAxesColumn } from 'lucide-react/icons/chart-no-axes-column'
import { __iconData as Check } from 'lucide-react/icons/check'
import { __iconData as ChevronDown } from 'lucide-react/icons/chevron-down'
import { __iconData as ChevronLeft } from 'lucide-react/icons/chevron-left'
import { __iconData as ChevronRight } from 'lucide-react/icons/chevron-right'
import { __iconData as ChevronUp } from 'lucide-react/icons/chevron-up'
import { __iconData as Circle } from 'lucide-react/icons/circle'
import { __iconData as CircleCheck } from 'lucide-react/icons/circle-check'
import { __iconData as CircleHelp } from 'lucide-react/icons/circle-question-mark'
import { __iconData as Clock } from 'lucide-react/icons/clock'
import { __iconData as Code } from 'lucide-react/icons/code'
import { __iconData as ColumnsTwo } from 'lucide-react/icons/columns-2'
import { __iconData as Copy } from 'lucide-react/icons/copy'
import { __iconData as Database } from 'lucide-react/icons/database'
import { __iconData as Download } from 'lucide-react/icons/download'
import { __iconData as Ellipsis } from 'lucide-react/icons/ellipsis'
import { __iconData as ExternalLink } from 'lucide-react/icons/external-link'
import { __iconData as Eye } from 'lucide-react/icons/eye'
import { __iconData as EyeOff } from 'lucide-react/icons/eye-off'
import { __iconData as Frown } from 'lucide-react/icons/face-slightly-frowning'
import { __iconData as Smile } from 'lucide-react/icons/face-slightly-smiling'
import { __iconData as SmilePlus } from 'lucide-react/icons/face-slightly-smiling-plus'
import { __iconData as FileText } from 'lucide-react/icons/file-text'
import { __iconData as Flag } from 'lucide-react/icons/flag'
import { __iconData as Flame } from 'lucide-react/icons/flame'
import { __iconData as Funnel } from 'lucide-react/icons/funnel'
import { __iconData as Globe } from 'lucide-react/icons/globe'
import { __iconData as Heart } from 'lucide-react/icons/heart'
import { __iconData as House } from 'lucide-react/icons/house'
import { __iconData as Image } from 'lucide-react/icons/image'
import { __iconData as Inbox } from 'lucide-react/icons/inbox'
import { __iconData as Info } from 'lucide-react/icons/info'
import { __iconData as Italic } from 'lucide-react/icons/italic'
import { __iconData as Key } from 'lucide-react/icons/key'
import { __iconData as Keyboard } from 'lucide-react/icons/keyboard'
import { __iconData as Languages } from 'lucide-react/icons/languages'
import { __iconData as Layers } from 'lucide-react/icons/layers'
import { __iconData as LayoutGrid } from 'lucide-react/icons/layout-grid'
import { __iconData as LayoutPanelLeft } from 'lucide-react/icons/layout-panel-left'
import { __iconData as Bold } from 'lucide-react/icons/letter-b'
import { __iconData as Heading } from 'lucide-react/icons/letter-h'
import { __iconData as Lightbulb } from 'lucide-react/icons/lightbulb'
import { __iconData as Link } from 'lucide-react/icons/link'
import { __iconData as List } from 'lucide-react/icons/list'
import { __iconData as ListChecks } from 'lucide-react/icons/list-checks'
import { __iconData as ListOrdered } from 'lucide-react/icons/list-ordered'
import { __iconData as Lock } from 'lucide-react/icons/lock'
import { __iconData as LogIn } from 'lucide-react/icons/log-in'
import { __iconData as LogOut } from 'lucide-react/icons/log-out'
import { __iconData as Mail } from 'lucide-react/icons/mail'
import { __iconData as Menu } from 'lucide-react/icons/menu'
import { __iconData as MessageSquare } from 'lucide-react/icons/message-square'
import { __iconData as Minus } from 'lucide-react/icons/minus'
import { __iconData as Monitor } from 'lucide-react/icons/monitor'
import { __iconData as Moon } from 'lucide-react/icons/moon'
import { __iconData as Palette } from 'lucide-react/icons/palette'
import { __iconData as Paperclip } from 'lucide-react/icons/paperclip'
import { __iconData as Pencil } from 'lucide-react/icons/pencil'
import { __iconData as Pin } from 'lucide-react/icons/pin'
import { __iconData as Plug } from 'lucide-react/icons/plug'
import { __iconData as Plus } from 'lucide-react/icons/plus'
import { __iconData as Power } from 'lucide-react/icons/power'
import { __iconData as Puzzle } from 'lucide-react/icons/puzzle'
import { __iconData as Quote } from 'lucide-react/icons/quote'
import { __iconData as RedoTwo } from 'lucide-react/icons/redo-2'
import { __iconData as RefreshCw } from 'lucide-react/icons/refresh-cw'
import { __iconData as RotateCcw } from 'lucide-react/icons/rotate-ccw'
import { __iconData as History } from 'lucide-react/icons/rotate-ccw-clock'
import { __iconData as Save } from 'lucide-react/icons/save'
import { __iconData as Search } from 'lucide-react/icons/search'
import { __iconData as Send } from 'lucide-react/icons/send'
import { __iconData as Server } from 'lucide-react/icons/server'
import { __iconData as Settings } from 'lucide-react/icons/settings'
import { __iconData as ShareTwo } from 'lucide-react/icons/share-2'
import { __iconData as Shield } from 'lucide-react/icons/shield'
import { __iconData as Sparkles } from 'lucide-react/icons/sparkles'
import { __iconData as SquareCode } from 'lucide-react/icons/square-code'
import { __iconData as Star } from 'lucide-react/icons/star'
import { __iconData as Strikethrough } from 'lucide-react/icons/strikethrough'
import { __iconData as Sun } from 'lucide-react/icons/sun'
import { __iconData as Table } from 'lucide-react/icons/table'
import { __iconData as Tag } from 'lucide-react/icons/tag'
import { __iconData as Tags } from 'lucide-react/icons/tags'
import { __iconData as ThumbsDown } from 'lucide-react/icons/thumbs-down'
import { __iconData as ThumbsUp } from 'lucide-react/icons/thumbs-up'
import { __iconData as TrashTwo } from 'lucide-react/icons/trash'
import { __iconData as TriangleAlert } from 'lucide-react/icons/triangle-exclamation-point'
import { __iconData as UndoTwo } from 'lucide-react/icons/undo-2'
import { __iconData as Upload } from 'lucide-react/icons/upload'
import { __iconData as User } from 'lucide-react/icons/user'
import { __iconData as UserPlus } from 'lucide-react/icons/user-plus'
import { __iconData as Users } from 'lucide-react/icons/users'
import { __iconData as Wrench } from 'lucide-react/icons/wrench'
import { __iconData as X } from 'lucide-react/icons/x'
import { __iconData as Zap } from 'lucide-react/icons/zap'

interface Drawing {
  node: [element: string, attributes: Record<string, string>][]
}

/** Keeps the names and forgets whose pictures they are: the sdk's declarations do not depend on the set. */
const named = <K extends string>(drawings: Record<K, Drawing>): Record<K, Drawing> => drawings

/** What the kit calls a picture → the picture. One by one, so that the rest of the set stays out. */
const icons = named({
  alert: TriangleAlert,
  archive: Archive,
  'arrow-down': ArrowDown,
  'arrow-left': ArrowLeft,
  'arrow-right': ArrowRight,
  'arrow-up': ArrowUp,
  award: Award,
  bell: Bell,
  bold: Bold,
  book: BookOpen,
  bookmark: Bookmark,
  calendar: Calendar,
  chart: ChartNoAxesColumn,
  check: Check,
  'check-circle': CircleCheck,
  'chevron-down': ChevronDown,
  'chevron-left': ChevronLeft,
  'chevron-right': ChevronRight,
  'chevron-up': ChevronUp,
  circle: Circle,
  clock: Clock,
  code: Code,
  'code-block': SquareCode,
  copy: Copy,
  database: Database,
  download: Download,
  external: ExternalLink,
  eye: Eye,
  'eye-off': EyeOff,
  file: FileText,
  filter: Funnel,
  flag: Flag,
  flame: Flame,
  frown: Frown,
  globe: Globe,
  heading: Heading,
  heart: Heart,
  help: CircleHelp,
  history: History,
  home: House,
  image: Image,
  inbox: Inbox,
  info: Info,
  italic: Italic,
  key: Key,
  keyboard: Keyboard,
  languages: Languages,
  layers: Layers,
  grid: LayoutGrid,
  layout: LayoutPanelLeft,
  lightbulb: Lightbulb,
  link: Link,
  list: List,
  'list-ordered': ListOrdered,
  lock: Lock,
  'log-in': LogIn,
  'log-out': LogOut,
  mail: Mail,
  menu: Menu,
  message: MessageSquare,
  minus: Minus,
  monitor: Monitor,
  moon: Moon,
  more: Ellipsis,
  palette: Palette,
  paperclip: Paperclip,
  pencil: Pencil,
  pin: Pin,
  plug: Plug,
  plus: Plus,
  power: Power,
  puzzle: Puzzle,
  quote: Quote,
  redo: RedoTwo,
  refresh: RefreshCw,
  rotate: RotateCcw,
  save: Save,
  search: Search,
  send: Send,
  server: Server,
  settings: Settings,
  share: ShareTwo,
  shield: Shield,
  smile: Smile,
  'smile-plus': SmilePlus,
  sort: ArrowUpDown,
  sparkles: Sparkles,
  split: ColumnsTwo,
  star: Star,
  strike: Strikethrough,
  sun: Sun,
  table: Table,
  tag: Tag,
  tags: Tags,
  tasks: ListChecks,
  'thumb-down': ThumbsDown,
  'thumb-up': ThumbsUp,
  trash: TrashTwo,
  undo: UndoTwo,
  upload: Upload,
  user: User,
  'user-plus': UserPlus,
  users: Users,
  wrench: Wrench,
  x: X,
  zap: Zap,
})

export type IconName = keyof typeof icons

const drawings = new Map<IconName, string>()

/** Markup inside of an icon's `svg`. Names that nobody knows, as a plugin's manifest may have, are a circle. */
export function drawingOf(name: string): string {
  const known = Object.hasOwn(icons, name) ? (name as IconName) : 'circle'
  const drawing = drawings.get(known) ?? draw(known)
  drawings.set(known, drawing)
  return drawing
}

function draw(name: IconName): string {
  return icons[name].node
    .map(([element, { key: _, ...attributes }]) => {
      const list = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${value}"`)
      return `<${element}${list.join('')}/>`
    })
    .join('')
}
