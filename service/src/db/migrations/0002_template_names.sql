ALTER TABLE "nfts" ADD COLUMN "template_name" text;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "limit_revision" integer DEFAULT 0 NOT NULL;