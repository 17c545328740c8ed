CREATE TABLE "suspended_currencies" (
	"chain" text NOT NULL,
	"currency" text NOT NULL,
	"reason" text NOT NULL,
	"suspended_at" timestamp with time zone NOT NULL,
	CONSTRAINT "suspended_currencies_chain_currency_pk" PRIMARY KEY("chain","currency")
);
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "held_as" text;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "limit_base" integer DEFAULT 0 NOT NULL;