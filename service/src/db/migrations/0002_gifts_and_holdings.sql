ALTER TABLE "token_holdings" ADD COLUMN "held_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree ("recipient","created_at");