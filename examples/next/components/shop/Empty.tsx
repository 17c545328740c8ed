import type { ReactNode } from 'react'
import styles from './Empty.module.css'

/** Shows why a list is empty and where to go next. */
export function Empty({ children }: { children: ReactNode }) {
  return <div className={styles.empty}>{children}</div>
}
