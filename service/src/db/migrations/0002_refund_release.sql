ALTER TABLE "refunds" ADD COLUMN "released_by" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "released_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "sent_to" text;--> statement-breakpoint
CREATE INDEX "refunds_released" ON "refunds" USING btree ("released_at");