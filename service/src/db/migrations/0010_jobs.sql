CREATE TABLE "jobs" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"data" jsonb NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"start_after" timestamp with time zone DEFAULT now() NOT NULL,
	"queued_at" timestamp with time zone DEFAULT now() NOT NULL,
	"starts" integer DEFAULT 0 NOT NULL,
	"claim" uuid,
	"kept_until" timestamp with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("name","start_after");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_claim" ON "jobs" USING btree ("claim") WHERE claim is not null;--> statement-breakpoint
-- The jobs of an earlier build, whose queue was in a schema of its own.
DO $$ BEGIN
  IF to_regclass('pgboss.job') IS NOT NULL THEN
    INSERT INTO "jobs" ("id", "name", "data", "priority", "start_after", "queued_at", "starts")
    SELECT "id", "name", "data", "priority", "start_after", "created_on", "retry_count"
    FROM pgboss.job WHERE "state" < 'completed';
  END IF;
END $$;
