import type { ReactNode } from 'react'
import { KeepFresh } from './KeepFresh'
import styles from './ListPage.module.css'

/** What {@link ListPage} takes. */
export type ListPageProps = {
  title: string
  /** How many there are, such as `2 orders`. */
  count: string
  children: ReactNode
}

/** A page of what comes in by itself. */
export function ListPage({ title, count, children }: ListPageProps) {
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className="title">{title}</h1>
        <p className="small soft" role="status">
          {count}
        </p>
      </div>
      <KeepFresh />
      {children}
    </div>
  )
}
