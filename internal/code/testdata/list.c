/* list.c: int not_this(void) { */
#include <stdio.h>
#ifndef LIST_H
#define LIST_H
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LOOP(x) do { \
	while (x) {

typedef struct node {
	struct node *next;
	union {
		int i;
		char c;
	} u;
} node_t;

enum color { RED, GREEN = '}' };

typedef enum {
	ON,
	OFF,
} state;

struct list {
	node_t *head;
	int (*compare)(const void *, const void *);
};

static const struct list empty = {
	.head = NULL,
};

int list_len(const struct list *l);

/*
 * Counts, it's slow.
 */
static inline int
list_count(const struct list *l,
	   int from)
{
	const char *s = "} \" {";
	return s[0] == '{' ? from : 0;
}

#ifdef FAST
int list_add(struct list *l, int i) {
#else
int list_add(struct list *l, long i) {
#endif
#if A
	if (i) {
#elif B
	if (!i) {
#else
	{
#endif
		return 1;
	}
	return 0;
}

struct node *list_find(struct list *l, int (*f)(int), ...) __attribute__((noinline));
struct node *list_find(struct list *l, int (*f)(int), ...)
{
	return l->head;
}

EXPORT_SYMBOL(list_find);

void *
list_raw(void) {
	return 0;
}

int main(int argc, char **argv)
{
#if 0
	broken {
#endif
	return 0;
}
#endif
