import type { ReactNode } from 'react'
import styles from './Empty.module.css'

/** What stands where there is nothing yet: why, and where to go from here. */
export function Empty({ children }: { children: ReactNode }) {
  return <div className={styles.empty}>{children}</div>
}
