import { TextField } from '@stoa/sdk/ui/field'
import { useNavigate, useText } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'

const pauseMs = 300

/** A box that narrows the list while somebody types; without JavaScript it is a form. */
export function TagFilter({ order, value }: { order: string; value: string }) {
  const t = useText('tags')
  const navigate = useNavigate()
  const [text, setText] = useState(value)
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === value) return
    const query = new URLSearchParams({ ...(order !== 'popular' && { order }), ...(wanted && { name: wanted }) })
    const timer = setTimeout(() => void navigate(`/tags${query.size > 0 ? `?${query}` : ''}`, { replace: true }), pauseMs)
    return () => clearTimeout(timer)
  }, [text, value, order, navigate])
  return (
    <form method="get" action="/tags">
      {order !== 'popular' && <input type="hidden" name="order" value={order} />}
      <TextField
        label={t('list.filter')}
        hideLabel
        name="name"
        type="text"
        placeholder={t('list.filter_placeholder')}
        maxLength={35}
        autoComplete="off"
        value={text}
        onChange={setText}
      />
    </form>
  )
}
