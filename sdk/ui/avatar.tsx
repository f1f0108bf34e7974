import { useState } from 'react'
import styles from './avatar.module.css'
import { classNames } from './class-names.ts'

/** As the protocol has it: an address, or an object whose type says which address counts. */
type Picture = string | { type?: string; gravatar?: string; custom?: string } | null | undefined

interface AvatarProps {
  /** Of the person; its first letter stands in for a missing picture. */
  name: string
  src?: Picture
  size?: 16 | 20 | 24 | 28 | 32 | 40 | 48 | 64 | 96 | 128
  /** Only where no name stands beside it. */
  alt?: string
  className?: string
}

/** A letter on a tint that stays the same for a name, and the person's picture on it once it is there. The box never changes. */
export function Avatar({ name, src, size = 32, alt = '', className }: AvatarProps) {
  const address = addressOf(src)
  const [broken, setBroken] = useState<string>()
  return (
    <span
      className={classNames(styles.avatar, styles[`size${size}`], styles[`tint${tintOf(name)}`], className)}
      {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
    >
      {letterOf(name)}
      {address && broken !== address && (
        <img
          // An image that failed before hydration tells nobody; its state does.
          ref={(image) => void (image?.complete && image.naturalWidth === 0 && setBroken(address))}
          src={address}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          className={styles.picture}
          onError={() => setBroken(address)}
        />
      )}
    </span>
  )
}

function addressOf(src: Picture): string {
  if (!src) return ''
  if (typeof src === 'string') return src
  return (src.type === 'gravatar' ? src.gravatar : src.custom) || src.custom || src.gravatar || ''
}

/** First character as people see it: one of a Chinese name, one emoji. */
function letterOf(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? '?'
}

function tintOf(name: string): number {
  let sum = 0
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9973
  return sum % 8
}
