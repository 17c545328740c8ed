ALTER TABLE "nfts" ADD COLUMN "template_name" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "price_share" integer;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "limit_revision" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "token_holdings" ADD COLUMN "held_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "mails_recipient" ON "mails" USING btree ("recipient","created_at");