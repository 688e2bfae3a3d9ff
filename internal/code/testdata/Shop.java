package shop;

import java.util.*;

/**
 * A shop { with a brace.
 */
@Entity(name = "shop{")
@SuppressWarnings({"unchecked", "rawtypes"})
public final class Shop<T extends Comparable<T>> extends Base implements Closeable {
    private static final String TEXT = """
        class NotThis { void no() {
        """;
    public static final int MAX = 3;
    private final char brace = '{';

    static {
        System.out.println("init");
    }

    public Shop(int size) {
        this.size = size;
    }

    @Override
    public <R extends T> List<R> find(Map<String, List<R>> by, int... n) throws IOException {
        Runnable r = new Runnable() {
            @Override public void run() { /* } */ }
        };
        return by.values().stream().map(x -> { return x; }).toList();
    }

    abstract int price(String of);

    private final Comparator<T> order = new Comparator<>() {
        public int compare(T a, T b) {
            return 0;
        }
    };

    enum Size {
        SMALL(1) {
            int twice() { return 2; }
        },
        LARGE(2);

        private final int n;

        Size(int n) {
            this.n = n;
        }

        int value() {
            return n;
        }
    }

    public record Pair<A, B>(A left, B right) {
        Pair {
            Objects.requireNonNull(left);
        }

        static int zero() {
            return 0;
        }
    }

    interface Visitor {
        void visit(Shop<?> s);
        default void done() {
            // it's done
        }
    }

    static class Node {
        int[] data = {1, 2};
        synchronized int[] data() {
            return data;
        }
    }
}

@interface Marker {
    String value() default "";
}
