import { Skeleton } from '@stoa/sdk/ui/skeleton'
import detail from './detail.module.css'
import rows from './rows.module.css'

/** A list of posts on its way. */
export function ListWaiting() {
  return (
    <>
      <Skeleton shape="title" />
      <Skeleton />
      <div className={rows.rows}>
        {Array.from({ length: 10 }, (_, index) => (
          <div key={index} className={rows.row}>
            <div className={rows.text}>
              <Skeleton shape="title" />
              <Skeleton lines={3} />
            </div>
            <div className={rows.counts}>
              <Skeleton shape="avatar" />
            </div>
          </div>
        ))}
      </div>
    </>
  )
}

/** A post on its way. */
export function PostWaiting() {
  return (
    <>
      <Skeleton shape="title" />
      <div className={detail.meta}>
        <Skeleton />
      </div>
      <div className={detail.columns}>
        <div className={detail.vote}>
          <Skeleton shape="avatar" />
        </div>
        <div className={detail.body}>
          <Skeleton lines={12} />
        </div>
      </div>
    </>
  )
}
