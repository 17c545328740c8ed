import { fileURLToPath } from 'node:url'

/** The folder of migrations, next to this file in both the source and the build. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
