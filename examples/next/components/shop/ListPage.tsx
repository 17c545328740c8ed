import type { ReactNode } from 'react'
import { KeepFresh } from './KeepFresh'
import styles from './ListPage.module.css'

/** Props of {@link ListPage}. */
export type ListPageProps = {
  title: string
  /** The number of entries, such as `2 orders`. */
  count: string
  children: ReactNode
}

/** Shows a list that updates automatically. It is for the shop's staff and developers, so it is in English. */
export function ListPage({ title, count, children }: ListPageProps) {
  return (
    <div className={styles.page} lang="en">
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
