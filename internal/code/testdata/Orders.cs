using System;

namespace Shop.Orders
{
    /// <summary>Orders { it's fine.</summary>
    [Serializable]
    [Table("orders{")]
    public sealed partial class OrderService<T> : IOrders where T : class, new()
    {
        #region Don't {
        private readonly string _path = @"C:\";
        private const string Raw = """"
            class NotThis { """ {
            """";
        #endregion

        public OrderService(string path) : base(path)
        {
            _path = path;
        }

        public int Count { get; private set; } = 3;

        public string Name
        {
            get { return _name; }
            set
            {
                _name = value;
            }
        }

        public string Full => $"{First} {(Last is { } l ? l : "}")}";

        public T this[int i]
        {
            get => _items[i];
        }

        [HttpGet("{id}")]
        public async Task<ActionResult<T>> GetAsync<TKey>(TKey id, CancellationToken ct = default)
            where TKey : struct
        {
            var c = '}';
            return await Find(id, x => { return x; });
        }

        public override string ToString() =>
            string.Join(
                ", ",
                _items);

#if DEBUG
        internal void Dump(int a)
        {
#else
        internal void Dump(long a)
        {
#endif
            Console.WriteLine(a);
        }

        public static bool operator ==(OrderService<T> a, OrderService<T> b)
        {
            return true;
        }

        public event EventHandler Changed
        {
            add { }
            remove { }
        }

        private enum State { Open, Closed }

        public record Line(int Id, string Text)
        {
            public bool IsEmpty() { return Text == ""; }
        }
    }

    public interface IOrders
    {
        int Count { get; }
        void Save(string path);
    }

    public readonly struct Money
    {
        public Money(decimal v) => Value = v;
        public decimal Value { get; }
    }

    public delegate void Done(object sender);
}
