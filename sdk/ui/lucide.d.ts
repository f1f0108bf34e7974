// The package describes the component of an icon and leaves out its drawing. All icons have one description, so one addition does for all.
import 'lucide-react/icons/archive'

declare module 'lucide-react/icons/archive' {
  export const __iconData: { node: [element: string, attributes: Record<string, string>][] }
}
